// node browser_test.mjs URL [PICTURE]: the viewer's page in headless Chromium, as a person uses it.
// Of a run on a skeleton, such as skeleton_recording.py makes, it tries what those have more.
// Leaves a picture of the page where PICTURE names a file.
import fs from 'node:fs';
import {
  check, checkSmallWindows, compare, openPage, pictureFile, runTests, settle, url,
} from './chromium.mjs';

// Parts of the picture. Unchanged pictures differ by nothing; a change of a few percent is seen.
const kSame = 0.0005;
const kChanged = 0.01;

const page = await openPage({ viewport: { width: 1280, height: 720 }, acceptDownloads: true });

const state = () => page.evaluate(() => ({ ...window.sinewView }));
const control = (label) => page.getByLabel(label, { exact: true });

// The view without the legend's corner, so that only the bodies' own picture counts.
async function picture() {
  await settle(page);
  const box = await page.locator('.stage').boundingBox();
  const clip = { x: box.x + box.width / 4, y: box.y, width: (3 * box.width) / 4, height: box.height };
  return (await page.screenshot({ clip })).toString('base64');
}

async function difference(a, b) {
  return (await compare(page, a, b)).part;
}

async function checkChanged(name, before, after) {
  const part = await difference(before, after);
  check(name, part > kChanged, `${(100 * part).toFixed(1)} % of the picture`);
}

async function checkSame(name, before, after) {
  const part = await difference(before, after);
  check(name, part <= kSame, `${(100 * part).toFixed(2)} % of the picture`);
}

async function seek(frame) {
  await control('Frame').fill(String(frame));
  await page.waitForFunction((f) => window.sinewView.frame === f, frame, { timeout: 20_000 });
}

async function testLoading() {
  await page.goto(url);
  await page.waitForFunction(() => window.sinewView?.ready, null, { timeout: 60_000 });
  const { frame, numFrames } = await state();
  check('the page loads and shows the first frame', frame === 0 && numFrames > 1, `${numFrames} frames`);
  await checkSame('a still view stays as it is', await picture(), await picture());
}

async function testPlaying() {
  const before = await picture();
  await control('Play').click();
  // Read at once: by the time of the click the loop may have begun again.
  const seen = await page.waitForFunction(
    () => window.sinewView.frame >= 3 && window.sinewView.frame, null, { timeout: 30_000 });
  const frame = await seen.jsonValue();
  check('playing advances the frames', frame >= 3, `frame ${frame}`);
  // Looked at while it plays: on a slow machine the loop may be back at its start by any one moment.
  let part = 0;
  for (let tries = 0; part <= kChanged && tries < 40; ++tries) {
    part = await difference(before, await picture());
  }
  check('playing changes the picture', part > kChanged, `${(100 * part).toFixed(1)} % of the picture`);
  await control('Pause').click();
}

async function testScrubbing() {
  const { numFrames } = await state();
  await seek(0);
  const first = await picture();
  await seek(Math.floor(numFrames / 2));
  await checkChanged('scrubbing to the middle changes the picture', first, await picture());
  await seek(0);
  await checkSame('scrubbing back brings the first picture back', first, await picture());
  await control('Step forward').click();
  await page.waitForFunction(() => window.sinewView.frame === 1);
  await page.locator('#canvas').focus();
  await page.keyboard.press('ArrowLeft');
  await page.waitForFunction(() => window.sinewView.frame === 0);
  check('buttons and arrow keys step', true);
  const plot = await page.locator('#plot .u-over').boundingBox();
  await page.mouse.click(plot.x + plot.width / 2, plot.y + plot.height / 2);
  await page.waitForFunction(() => window.sinewView.frame > 0, null, { timeout: 20_000 });
  const { frame } = await state();
  check('a click in the plot goes there', Math.abs(frame - numFrames / 2) < 3, `frame ${frame}`);
}

async function testColours() {
  const { numFrames } = await state();
  await seek(Math.floor(numFrames / 3));
  const plain = await picture();
  const fields = await control('Colour by').locator('option').evaluateAll((options) =>
    options.map(({ value }) => value).filter((value) => value !== ''));
  check('the recording has fields to colour by', fields.length > 0, fields.join(', '));
  let before = plain;
  for (const field of fields) {
    await control('Colour by').selectOption(field);
    const after = await picture();
    await checkChanged(`colouring by ${field} changes the picture`, before, after);
    check(`  with a legend`, await page.locator('#legend').isVisible());
    before = after;
  }
  await control('Lowest value').fill('1000000');
  await control('Highest value').fill('2000000');
  await control('Highest value').press('Enter');
  await checkChanged('a fixed range changes the picture', before, await picture());
  await control('Colour by').selectOption('');
  await checkSame('colouring by body brings the plain picture back', plain, await picture());
}

async function testBodies() {
  const shown = await picture();
  const boxes = page.locator('#bodies input[type=checkbox]');
  for (const box of await boxes.all()) await box.uncheck();
  await checkChanged('hiding the bodies changes the picture', shown, await picture());
  for (const box of await boxes.all()) await box.check();
  await checkSame('showing them brings the picture back', shown, await picture());
  const opacity = page.locator('#bodies input.opacity').first();
  await opacity.fill('0.3');
  await checkChanged('opacity changes the picture', shown, await picture());
  await opacity.fill('1');
}

async function show(group, shown) {
  await control(`Show all ${group}`).setChecked(shown);
}

// The rest is of runs on a skeleton.
async function testGroups(recording) {
  const bones = recording.bodies.filter(({ kind }) => kind === 'bone').map(({ name }) => name);
  check('bones are ivory', await control(`Colour of ${bones[0]}`).inputValue() === '#e3dac4');
  const whole = await picture();
  await show('bones', false);
  await checkChanged('hiding the bones at once changes the picture', whole, await picture());
  for (const name of bones) check(`  ${name} is off`, !(await control(`Show ${name}`).isChecked()));
  await control(`Show ${bones[0]}`).check();
  check('one of several is told by the group', await control('Show all bones').evaluate(
    (box) => box.indeterminate));
  await show('bones', true);
  await checkSame('showing them at once brings the picture back', whole, await picture());
}

async function testUpAxis() {
  await seek(0);
  for (const group of ['muscles', 'lines', 'bones']) await show(group, false);
  const empty = await picture();
  await control('Show upper_arm').check();
  const { width, height } = await compare(page, empty, await picture());
  check('what is up in the recording is up on the page', height > 1.5 * width, `${width} x ${height}`);
  for (const group of ['muscles', 'lines', 'bones']) await show(group, true);
}

async function testLines(recording) {
  await seek(Math.floor(recording.num_frames / 3));
  const before = await picture();
  await control('Lines of action').click();
  await checkChanged('lines are seen through the muscles', before, await picture());
  await control('Colour by').selectOption('activation');
  if (pictureFile) fs.writeFileSync(pictureFile, await page.screenshot());
  await control('Colour by').selectOption('');
  await control('Lines of action').click();
  await checkSame('muscles close again', before, await picture());
}

async function testActivation() {
  for (const [hidden, shown] of [['bones', 'lines'], ['lines', 'bones']]) {
    await show('muscles', false);
    await show(hidden, false);
    const plain = await picture();
    await control('Colour by').selectOption('activation');
    const part = await difference(plain, await picture());
    check(`activation ${shown === 'lines' ? 'colours lines' : 'leaves bones alone'}`,
      shown === 'lines' ? part > kSame : part <= kSame, `${(100 * part).toFixed(2)} % of the picture`);
    await control('Colour by').selectOption('');
    await show('muscles', true);
    await show(hidden, true);
  }
}

async function testPlotPresets(recording) {
  const rows = page.locator('#plot-legend li');
  const chosen = await page.locator('.chart-head select').evaluateAll(
    (selects) => selects.map(({ value }) => value));
  check('activation, angle and moment are plotted at first',
    chosen.join(' ') === 'activation angle moment', chosen.join(' '));
  await control('Second plotted measure').selectOption('');
  await control('Third plotted measure').selectOption('');
  await control('First plotted measure').selectOption('activation');
  const activations = recording.certificate.filter(({ name }) => name.startsWith('activation.'));
  check('a preset plots all activations', await rows.count() === activations.length,
    (await rows.allTextContents()).join(', '));
  await control('Second plotted measure').selectOption('angle');
  const column = recording.certificate.findIndex(({ unit }) => unit === 'rad');
  const { frame } = await state();
  const radians = await page.evaluate(async ([c, f]) =>
    (await (await fetch('/api/certificate?from=0')).json()).columns[c][f], [column, frame]);
  const shown = await rows.last().locator('output').textContent();
  check('angles are in degrees', /°$/.test(shown)
    && Math.abs(parseFloat(shown) - (radians * 180) / Math.PI) < 0.1, shown);
  await control('Third plotted measure').selectOption('moment');
  check('moments are in N m', /N m$/.test(await rows.last().textContent()));
  check('each axis has its stroke', await rows.locator('.dashed').count() > 0
    && await rows.locator('.dotted').count() > 0);
}

async function testSkeleton() {
  const recording = await page.evaluate(async () => (await fetch('/api/recording')).json());
  const has = recording.bodies.some(({ kind }) => kind === 'lines');
  check('the lines switch is there where there are lines',
    await control('Lines of action').isVisible() === has);
  if (!has) return;
  for (const test of [testGroups, testUpAxis, testLines, testActivation, testPlotPresets]) {
    await test(recording);
  }
}

async function testOrbit() {
  const before = await picture();
  const box = await page.locator('#canvas').boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 160, box.y + box.height / 2 + 20, { steps: 5 });
  await page.mouse.up();
  await page.waitForTimeout(800); // the damping comes to rest
  await checkChanged('dragging turns the view', before, await picture());
  await control('Frame everything').click();
  await checkSame('framing brings the view back', before, await picture());
}

async function testScreenshot() {
  const waiting = page.waitForEvent('download', { timeout: 20_000 });
  await control('Save screenshot').click();
  const download = await waiting;
  const bytes = fs.readFileSync(await download.path());
  const isPng = bytes.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex'));
  const width = isPng ? bytes.readUInt32BE(16) : 0;
  check('the screenshot is a PNG of the view', isPng && width > 400 && bytes.length > 5000,
    `${download.suggestedFilename()}, ${bytes.length} bytes`);
}

async function testHelpAndSmallWindows() {
  await page.keyboard.press('?');
  check('? shows the keys', await page.getByRole('dialog').isVisible());
  await control('Close help').click();
  check('and closes again', await page.getByRole('dialog').isHidden());
  await checkSmallWindows(page);
}

await runTests('browser', async () => {
  for (const test of [testLoading, testPlaying, testScrubbing, testColours, testBodies, testSkeleton,
    testOrbit, testScreenshot, testHelpAndSmallWindows]) {
    await test();
  }
});
