// node model_page_test.mjs URL [PICTURE]: the page of a model in headless Chromium. Needs what
// browser_test.mjs needs. Leaves a picture of the page where PICTURE names a file.
import fs from 'node:fs';
import { check, openPage, pictureFile, runTests, settle, url } from './chromium.mjs';

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
  check('the page names the model', await page.locator('#model-name').textContent() === model.name);
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

await runTests('model page', async () => {
  for (const test of [testLoading, testDrawing, testControls]) await test();
});
