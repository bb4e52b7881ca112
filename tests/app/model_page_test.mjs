// node model_page_test.mjs URL [PICTURE]: the page of a model in headless Chromium. Needs what
// browser_test.mjs needs. Leaves a picture of the page where PICTURE names a file.
import fs from 'node:fs';
import { check, expectErrors, openPage, pictureFile, runTests, settle, url } from './chromium.mjs';

const page = await openPage({ viewport: { width: 1280, height: 720 } });

// The middle of the view, without legend and notes, once it has been drawn.
async function picture() {
  await settle(page);
  const box = await page.locator('.stage').boundingBox();
  const clip = { x: box.x + box.width / 4, y: box.y + box.height / 4, width: box.width / 2,
    height: box.height / 2 };
  return page.screenshot({ clip, timeout: 120_000 });
}

async function testLoading() {
  await page.goto(url);
  await page.waitForFunction(() => document.body.dataset.ready === 'true', null,
    { timeout: 120_000 });
  const model = await page.evaluate(() => fetch('/api/model').then((answer) => answer.json()));
  check('the page names the model', await page.locator('#title').textContent() === model.name);
  check('the page lists every muscle',
    await page.locator('#muscles li').count() === model.muscles.length,
    `${model.muscles.length} muscles`);
  check('nothing is in trouble', await page.locator('#trouble').isHidden());
  if (pictureFile) fs.writeFileSync(pictureFile, await page.screenshot({ timeout: 120_000 }));
}

async function testDrawing() {
  const whole = await picture();
  const boxes = page.locator('#muscles input[type=checkbox], #tissues input[type=checkbox]');
  const shown = [];
  for (const box of await boxes.all()) if (await box.isChecked()) shown.push(box);
  for (const box of shown) await box.uncheck();
  // Deflated, a view of nothing takes less than one of bodies: no pixel needs to be known.
  const empty = await picture();
  check('hiding the parts empties the view', whole.length > 1.5 * empty.length,
    `${whole.length} and ${empty.length} bytes`);
  for (const box of shown) await box.check();
  check('showing them brings the picture back', whole.equals(await picture()));
}

async function testControls() {
  for (const id of ['fibres', 'lattice', 'solo']) {
    const before = await picture();
    await page.locator(`#${id}`).click();
    // A lattice has to come from the server first.
    let after = before;
    for (let tries = 0; after.equals(before) && tries < 50; ++tries) after = await picture();
    check(`${id} changes the picture`, !after.equals(before));
    await page.locator(`#${id}`).click();
  }
  for (const by of ['part', 'region', 'tissue']) {
    const before = await picture();
    await page.getByLabel('Colour by', { exact: true }).selectOption(by);
    check(`colouring by ${by} changes the picture`, !before.equals(await picture()));
  }
  await page.locator('#muscles li').first().hover();
  check('pointing at a muscle tells about it',
    (await page.locator('#facts').textContent()).includes('origin'));
}

// Where the parts of the tool say that things are.
const tool = () => page.evaluate(() => ({
  levels: [...document.querySelectorAll('#bricks-levels input')].map(({ value }) => Number(value)),
  facts: document.querySelector('#bricks-facts').textContent,
  toml: document.querySelector('#bricks-toml').textContent,
}));

// Until the server has answered what was asked for last.
async function untilAnswered() {
  await page.waitForFunction(() =>
    document.querySelector('#bricks-tool').getAttribute('aria-busy') === 'false', null,
  { timeout: 120_000 });
  return tool();
}

// The middle of the first handle from above, by its colour.
async function findHandle() {
  await settle(page);
  const box = await page.locator('.stage').boundingBox();
  const bytes = (await page.screenshot({ clip: box, timeout: 120_000 })).toString('base64');
  const found = await page.evaluate(async (text) => {
    const blob = new Blob([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], { type: 'image/png' });
    const bitmap = await createImageBitmap(blob);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    const { data, width } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const of = (i) => [data[4 * i], data[4 * i + 1], data[4 * i + 2]];
    const isBall = (i) => of(i).every((value, c) => Math.abs(value - [255, 217, 122][c]) < 4);
    const all = Array.from({ length: data.length / 4 }, (_, i) => i).filter(isBall)
      .map((i) => ({ x: i % width, y: Math.floor(i / width) }));
    const near = all.filter(({ x, y }) => Math.hypot(x - all[0].x, y - all[0].y) < 12);
    return near.length === 0 ? undefined : {
      x: near.reduce((sum, { x }) => sum + x, 0) / near.length,
      y: near.reduce((sum, { y }) => sum + y, 0) / near.length,
    };
  }, bytes);
  return found && { x: box.x + found.x, y: box.y + found.y };
}

function moveSlider(by) {
  return page.locator('#bricks-levels input').nth(1).evaluate((slider, shift) => {
    slider.value = String(Number(slider.value) + shift);
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }, by);
}

async function testBricks() {
  const without = await picture();
  await page.locator('#bricks').click();
  await page.waitForFunction(() => document.querySelectorAll('#bricks-levels input').length > 0,
    null, { timeout: 120_000 });
  const first = await tool();
  check('bricks are drawn', !without.equals(await picture()));
  check('the tool tells what they are like', /smallest Jacobian/.test(first.facts)
    && /vertices outsidenone/.test(first.facts) && /in the modelyes/.test(first.facts), first.facts);

  const drawn = await picture();
  await moveSlider(0.08);
  const slid = await untilAnswered();
  check('a slider moves its level', Math.abs(slid.levels[1] - first.levels[1] - 0.08) < 1e-6);
  check('and the bricks with it', !drawn.equals(await picture()));
  check('which are not in the model then', /not saved/.test(slid.facts));

  const handle = await findHandle();
  check('levels have handles in the view', handle !== undefined);
  let dragged = slid;
  for (const [x, y] of [[40, 0], [0, 40]]) {
    if (!handle) break;
    await page.mouse.move(handle.x, handle.y);
    await page.mouse.down();
    await page.mouse.move(handle.x + x, handle.y + y, { steps: 4 });
    const along = await page.evaluate(() =>
      [...document.querySelectorAll('#bricks-levels input')].map(({ value }) => Number(value)));
    const moves = along.some((level, k) => Math.abs(level - slid.levels[k]) > 1e-3);
    await page.mouse.up();
    dragged = await untilAnswered();
    if (moves) break;
  }
  const shifts = dragged.levels.map((level, k) => Math.abs(level - slid.levels[k]));
  check('dragging a handle moves its level alone', shifts.filter((shift) => shift > 1e-3).length === 1,
    shifts.map((shift) => shift.toFixed(3)).join(' '));
  check('no vertex is outside after it', /vertices outsidenone/.test(dragged.facts), dragged.facts);
  if (pictureFile) {
    fs.writeFileSync(pictureFile.replace(/\.png$/, '_bricks.png'),
      await page.screenshot({ timeout: 120_000 }));
  }

  // A save that waits for a wrap, and a hand that moves a level before either is answered.
  let release;
  const released = new Promise((done) => { release = done; });
  await page.route('**/api/model/bricks', (route) => released.then(() => route.continue()));
  await moveSlider(0.01);
  await page.locator('#bricks-save').click();
  await moveSlider(-0.05);
  release();
  const saved = await untilAnswered();
  check('what was saved is said to be', /in the modelyes/.test(saved.facts));
  check('a save holds off what comes after it',
    Math.abs(saved.levels[1] - dragged.levels[1] - 0.01) < 1e-6);
  const kept = await page.evaluate(() => fetch('/api/muscle/0/bricks').then((answer) => answer.json()));
  check('saving keeps them in the model',
    kept.levels.slice(1, -1).every((level, k) => Math.abs(level - saved.levels[k]) < 1e-9));

  await page.getByLabel('Bricks along', { exact: true }).fill('2');
  await page.getByLabel('Bricks along', { exact: true }).press('Tab');
  const fewer = await untilAnswered();
  check('fewer bricks have fewer levels', fewer.levels.length === 1);

  // Refused by the server, and nothing changes. The browser notes refusals as errors of its own.
  await page.getByLabel('Bricks along', { exact: true }).fill('999');
  await page.getByLabel('Bricks along', { exact: true }).press('Tab');
  await page.locator('#trouble').waitFor({ state: 'visible', timeout: 120_000 });
  expectErrors(/400/);
  check('what is refused changes nothing', (await tool()).toml === fewer.toml
    && await page.getByLabel('Bricks along', { exact: true }).inputValue() === '2');
  await page.locator('#bricks').click();
  check('the tool goes when bricks are hidden', await page.locator('#bricks-tool').isHidden());
}

await runTests('model page', async () => {
  for (const test of [testLoading, testDrawing, testControls, testBricks]) await test();
});
