// What the tests of pages share: headless Chromium that draws in software, checks that are counted,
// errors and requests that are watched, and pictures that are compared. Needs the packages of
// package.json beside this file (npm ci) and Chromium (CHROMIUM names another one).
import process from 'node:process';
import { chromium } from 'playwright-core';

const kFlags = ['--headless=new', '--no-sandbox', '--disable-dev-shm-usage', '--use-gl=angle',
  '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--disable-background-networking',
  '--no-first-run', '--disable-component-update', '--disable-sync',
  // Pages that are not in front must go on drawing: two of them are compared.
  '--disable-background-timer-throttling', '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding'];

export const [, , url, pictureFile] = process.argv;
export const kPatience = 120_000; // ms
export const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: kFlags,
});

const errors = [];
const foreign = [];
let failures = 0;

export function check(name, pass, found = '') {
  console.log(`${pass ? 'ok  ' : 'FAIL'} ${name}${found === '' ? '' : ` (${found})`}`);
  if (!pass) ++failures;
}

// Errors that were provoked: those noted so far that fit, and none else, are forgotten.
export function expectErrors(pattern) {
  errors.splice(0, errors.length, ...errors.filter((text) => !pattern.test(text)));
}

// A page in a context of its own, whose errors and requests are watched.
export async function openPage(options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  page.on('pageerror', (error) => errors.push(error.message));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (protocol !== 'blob:' && hostname !== new URL(url).hostname) foreign.push(request.url());
  });
  return page;
}

// Until what was changed last has been drawn.
export async function settle(page) {
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 50)));
  }));
}

// Whether a page with a canvas and a foot fits into small windows.
export async function checkSmallWindows(page) {
  for (const size of [{ width: 400, height: 740 }, { width: 900, height: 520 }]) {
    await page.setViewportSize(size);
    const inside = await page.evaluate(() =>
      document.documentElement.scrollWidth <= window.innerWidth &&
      document.querySelector('footer').getBoundingClientRect().bottom <= window.innerHeight + 1 &&
      document.querySelector('#canvas').getBoundingClientRect().height > 100);
    check(`everything fits ${size.width} x ${size.height}`, inside);
  }
}

// Of the pixels of two pictures in base64 that differ by more than rounding: the part of all, and
// the box around them.
export function compare(page, a, b) {
  return page.evaluate(async (pictures) => {
    const [first, second] = await Promise.all(pictures.map(async (text) => {
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
      canvas.drawImage(bitmap, 0, 0);
      return canvas.getImageData(0, 0, bitmap.width, bitmap.height);
    }));
    let changed = 0;
    const [xs, ys] = [[Infinity, -Infinity], [Infinity, -Infinity]];
    const widen = (ends, value) => ends.splice(0, 2, Math.min(ends[0], value), Math.max(ends[1], value));
    for (let i = 0; i < first.data.length; i += 4) {
      const away = Math.max(...[0, 1, 2].map((c) => Math.abs(first.data[i + c] - second.data[i + c])));
      if (away <= 6) continue;
      ++changed;
      widen(xs, (i / 4) % first.width);
      widen(ys, Math.floor(i / 4 / first.width));
    }
    const part = changed / (first.data.length / 4);
    return { part, width: xs[1] - xs[0], height: ys[1] - ys[0] };
  }, [a, b]);
}

export async function difference(page, a, b) {
  return (await compare(page, a, b)).part;
}

// Runs the tests in order, closes the browser and ends the process: 0 where all passed.
export async function runTests(name, work) {
  try {
    await work();
  } catch (error) {
    check(`no step hangs: ${error.message.split('\n')[0]}`, false);
  }
  check('no errors in the console', errors.length === 0, errors.join(' | '));
  check('no request left this machine', foreign.length === 0, foreign.join(' '));
  await browser.close();
  console.log(failures === 0 ? `${name}: all checks passed` : `${name}: ${failures} checks FAILED`);
  process.exit(failures === 0 ? 0 : 1);
}
