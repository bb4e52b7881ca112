// node live_page_test.mjs URL [PICTURE]: the page of a live session in headless Chromium, as people
// use it. Of a session whose first control is an activation. Nothing here depends on how fast
// the machine is: it waits for pictures that show what was asked for, and tells how long they took.
import {
  check, checkSmallWindows, difference, kPatience, openPage, pictureFile, runTests, settle, url,
} from './chromium.mjs';

async function open() {
  const page = await openPage({ viewport: { width: 760, height: 480 } });
  await page.goto(url);
  await page.waitForFunction(() => document.body.dataset.ready === 'true', null, { timeout: kPatience });
  return page;
}

const live = (page) => page.evaluate(() => ({ ...window.sinewLive }));
const control = (page, label) => page.getByLabel(label, { exact: true });

async function until(page, condition, argument) {
  await page.waitForFunction(condition, argument, { timeout: kPatience, polling: 'raf' });
}

async function picture(page) {
  await settle(page);
  const box = await page.locator('.stage').boundingBox();
  const clip = { x: box.x, y: box.y, width: box.width, height: box.height - 30 };
  return (await page.screenshot({ clip })).toString('base64');
}

async function testRunning(page) {
  const before = await live(page);
  await until(page, (frame) => window.sinewLive.frame > frame + 5, before.frame);
  const after = await live(page);
  check('the simulation runs on', after.time > before.time, `${after.time.toFixed(2)} s`);
  check('speed is told', /steps\/s/.test(await control(page, 'Speed of the simulation').textContent()));
}

// Sends a message as if another page did; the number by which snapshots that obey it are known.
function command(page, message) {
  return page.evaluate(async (body) => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('/api/live/command', { method: 'POST', headers, body });
    return (await answer.json()).number;
  }, JSON.stringify(message));
}

// Until both show the frame that the session stands still at: what is drawn may lag behind buttons.
async function pauseAll(page, other) {
  await control(page, 'Pause').click();
  for (const each of [page, other]) {
    await control(each, 'Go on').waitFor({ timeout: kPatience });
    await until(each, () => window.sinewLive.paused);
  }
}

async function testPausing(page, other) {
  await pauseAll(page, other);
  const still = await picture(page);
  const { frame } = await live(page);
  check('a paused session stands still', await difference(page, still, await picture(page)) === 0
    && (await live(page)).frame === frame);
  await control(page, 'Step').click();
  await until(page, (f) => window.sinewLive.frame === f + 1, frame);
  check('a step is one frame', (await live(page)).frame === frame + 1);
  await control(page, 'Go on').click();
  await until(page, (f) => window.sinewLive.frame > f + 3, frame);
  check('it goes on', true);
}

// Restarted and left alone by its script: what changes then is the slider's doing.
async function calm(page, other) {
  const { controls } = await page.evaluate(async () => (await fetch('/api/live')).json());
  await command(page, { do: 'restart' });
  for (const [control, { name }] of controls.entries()) {
    if (/^(activation\..*|gravity)$/.test(name)) await command(page, { do: 'set', control, value: 0 });
  }
  const last = await command(page, { do: 'resume' });
  for (const each of [page, other]) {
    await until(each, (n) => window.sinewLive.applied >= n && window.sinewLive.time > 0.3, last);
  }
}

async function moveSlider(page, value) {
  const slider = page.locator('#controls input').first();
  const before = await live(page);
  await slider.evaluate((input, v) => {
    input.value = String(v * Number(input.max));
    input.dispatchEvent(new Event('input', { bubbles: true }));
  }, value);
  await until(page, (n) => window.sinewLive.applied > n, before.applied);
  await until(page, (ms) => window.sinewLive.latencyMs !== undefined && window.sinewLive.latencyMs !== ms,
    before.latencyMs);
  const after = await live(page);
  return { pictures: after.pictures - before.pictures, ms: after.latencyMs, split: after.split };
}

async function testSlider(page, other) {
  await calm(page, other);
  const [here, there] = [await picture(page), await picture(other)];
  const waits = [];
  let stale = 0;
  for (const value of [0.8, 0.75, 0.85, 0.8]) {
    const { ms, split } = await moveSlider(page, value);
    stale = Math.max(stale, split.stale);
    const parts = [split.answer, split.frame, split.wait, split.draw].map((part) => part.toFixed(0));
    waits.push(`${ms.toFixed(0)} = ${parts.join(' + ')}`);
  }
  const { frame } = await live(page);
  // Muscles take a moment to contract.
  for (const each of [page, other]) await until(each, (f) => window.sinewLive.frame > f + 15, frame);
  const part = await difference(page, here, await picture(page));
  check('moving the activation slider changes the picture', part > 0.01,
    `${(100 * part).toFixed(1)} % of it; hand to picture (answer + frame + wait + draw) ${waits.join(', ')} ms`);
  // However slow the machine: the snapshot that was on its way, that of the frame which was being
  // made, and then the one that obeys.
  check('a hand is seen after two more pictures at most', stale <= 2, `${stale}`);
  const same = await difference(page, there, await picture(other));
  check('the other page sees it too', same > 0.01, `${(100 * same).toFixed(1)} %`);
  const shown = await other.locator('#controls output').first().textContent();
  check('and its slider stands where it was put', shown.startsWith('0.8'), shown);
}

async function testSamePicture(page, other) {
  await pauseAll(page, other);
  const [here, there] = [await picture(page), await picture(other)];
  const part = await difference(page, here, there);
  check('two pages show the same picture', part < 0.0005, `${(100 * part).toFixed(3)} % differ`);
  await control(page, 'Go on').click();
}

// A point of the canvas where a muscle is drawn: in the middle of the lowest quarter of what is red.
async function findBody(page) {
  const box = await page.locator('.stage').boundingBox();
  const found = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    canvas.drawImage(bitmap, 0, 0);
    const { data, width } = canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    const red = [];
    for (let i = 0; i < data.length / 4; ++i) {
      if (data[4 * i] > 60 && data[4 * i] > 1.5 * data[4 * i + 2]) red.push(i);
    }
    const at = red[Math.floor(0.8 * red.length)]; // by rows, so far down
    const row = red.filter((i) => Math.floor(i / width) === Math.floor(at / width));
    return { x: row[Math.floor(row.length / 2)] % width, y: Math.floor(at / width) };
  }, await picture(page));
  return { x: box.x + found.x, y: box.y + found.y };
}

// Takes hold of the body and pulls it to the right, pixels. It stands still meanwhile, or it might
// have left where it was seen.
async function grab(page, other, pixels) {
  await pauseAll(page, other);
  const at = await findBody(page);
  await page.mouse.move(at.x, at.y);
  await page.mouse.down();
  await page.mouse.move(at.x + pixels, at.y, { steps: 6 });
  await command(page, { do: 'resume' });
  await until(page, () => window.sinewLive.pulls === 1);
}

async function testPulling(page, other) {
  await grab(page, other, 120);
  const held = await live(page);
  await until(page, (f) => window.sinewLive.frame > f + 15, held.frame);
  check('a drag pulls at the body', (await live(page)).pulls === 1);
  await until(other, () => window.sinewLive.pulls === 1);
  check('the other page sees the hand', true);
  if (pictureFile) await page.screenshot({ path: pictureFile });
  const pulled = await picture(page);
  await page.mouse.up();
  await until(page, () => window.sinewLive.pulls === 0);
  const { frame } = await live(page);
  await until(page, (f) => window.sinewLive.frame > f + 15, frame);
  const part = await difference(page, pulled, await picture(page));
  check('and it swings back when let go', part > 0.01, `${(100 * part).toFixed(1)} %`);
}

async function testVanishing(page, other) {
  await grab(other, page, 60);
  await until(page, () => window.sinewLive.pulls === 1);
  const { frame } = await live(page);
  await other.context().close(); // with its hand on the body
  await until(page, (f) => window.sinewLive.frame > f + 5, frame);
  check('a page that disappears stops nothing', true);
  await until(page, () => window.sinewLive.pulls === 0);
  check('and its hand lets go', true);
}

async function testRecording(page) {
  await control(page, 'Record').click();
  await until(page, () => document.querySelector('#record').getAttribute('aria-pressed') === 'true');
  const { frame } = await live(page);
  await until(page, (f) => window.sinewLive.frame > f + 10, frame);
  const told = await page.locator('#recording').textContent();
  await control(page, 'Record').click();
  await until(page, () => document.querySelector('#record').getAttribute('aria-pressed') === 'false');
  check('records while asked to', /take-001/.test(told), told);
}

async function testHelpAndSmallWindows(page) {
  await page.locator('#canvas').focus();
  await page.keyboard.press('?');
  check('? shows the keys', await page.getByRole('dialog').isVisible());
  await control(page, 'Close help').click();
  await checkSmallWindows(page);
}

await runTests('live page', async () => {
  const page = await open();
  const other = await open();
  check('two pages are two', (await live(page)).page !== (await live(other)).page);
  for (const test of [testRunning, testPausing, testSlider, testSamePicture, testPulling,
    testVanishing, testRecording, testHelpAndSmallWindows]) {
    await test(page, other);
  }
});
