// node server_test.mjs URL: what the viewer's server answers and refuses. Raw sockets, because
// any HTTP client would tidy up the paths and headers that are the point here.
import net from 'node:net';
import process from 'node:process';

const url = new URL(process.argv[2]);
const port = Number(url.port);
let failures = 0;

function check(name, pass, found) {
  console.log(`${pass ? 'ok  ' : 'FAIL'} ${name}${pass ? '' : `: found ${found}`}`);
  if (!pass) ++failures;
}

// Sends `text` as it is; resolves to { status, headers, body } of the answer.
function exchange(text) {
  return new Promise((resolve, reject) => {
    const chunks = [];
    const socket = net.connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer in 10 s')));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const answer = Buffer.concat(chunks).toString('latin1');
      const end = answer.indexOf('\r\n\r\n');
      resolve({
        status: Number(answer.split(' ')[1]),
        headers: answer.slice(0, end).toLowerCase(),
        body: answer.slice(end + 4),
      });
    });
  });
}

function ask(path, { method = 'GET', host = `127.0.0.1:${port}`, more = '' } = {}) {
  const hostLine = host === null ? '' : `Host: ${host}\r\n`;
  return exchange(`${method} ${path} HTTP/1.1\r\n${hostLine}${more}Connection: close\r\n\r\n`);
}

async function expectStatus(name, status, path, options) {
  const answer = await ask(path, options);
  check(`${name} -> ${status}`, answer.status === status, answer.status);
  return answer;
}

const kPolicy = "default-src 'self'";

async function checkAnswers() {
  const page = await expectStatus('the page', 200, '/');
  check('the page has a content policy', page.headers.includes(kPolicy), page.headers);
  check('the page is not sniffed', page.headers.includes('x-content-type-options: nosniff'), '');
  const licences = await expectStatus('licences', 200, '/licences.txt');
  for (const name of ['three 0.', 'uplot 1.', 'Permission is hereby granted']) {
    check(`licences hold ${name}`, licences.body.includes(name), licences.body.slice(0, 200));
  }
  const api = await expectStatus('the recording', 200, '/api/recording');
  check('the API is not stored', api.headers.includes('cache-control: no-store'), api.headers);
  const head = await expectStatus('HEAD', 200, '/api/recording', { method: 'HEAD' });
  check('HEAD has no body', head.body === '', head.body);
  await expectStatus('localhost as host', 200, '/', { host: `localhost:${port}` });
  await expectStatus('host without port', 200, '/', { host: '127.0.0.1' });
  return JSON.parse(api.body);
}

async function checkHosts() {
  const foreign = ['evil.example', `evil.example:${port}`, '127.0.0.1.evil.example', 'localhost.evil',
    'evil.example:127.0.0.1', '127.0.0.1:80@evil.example', '127.0.0.1:', '', '10.0.0.1', null];
  for (const host of foreign) await expectStatus(`host "${host}"`, 403, '/api/recording', { host });
  const two = { more: 'Host: evil.example\r\n' };
  await expectStatus('two hosts', 403, '/api/recording', two);
}

async function checkMethods() {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const more = 'Content-Length: 0\r\n';
    await expectStatus(method, 405, '/api/recording', { method, more });
  }
}

async function checkPaths() {
  const paths = ['/../../etc/passwd', '/%2e%2e/%2e%2e/etc/passwd', '/%2e%2e/', '/..%2f..%2fetc/passwd',
    '//etc/passwd', '/etc/passwd', '/assets/../../etc/passwd', '/assets', '/assets/',
    '/recording.h5', '/index.html%00.js', '/api/../index.html', '/api/', '/api/body', '/api/nothing',
    '/api/recording/', '/api/recording.h5', '/api/%2e%2e/recording'];
  for (const path of paths) {
    const answer = await expectStatus(`path ${path}`, 404, path);
    check(`path ${path} tells nothing`, !answer.body.includes('root:'), answer.body);
  }
}

async function checkIndices({ num_frames: frames, bodies }) {
  const last = frames - 1;
  await expectStatus('the last frame', 200, `/api/body/0/frame/${last}`);
  await expectStatus('certificate from the end', 200, `/api/certificate?from=${frames}`);
  const huge = '9'.repeat(40);
  for (const path of [`/api/body/0/frame/${frames + 1000000}`, '/api/body/0/frame/-1',
    '/api/body/0/frame/', '/api/body/0/frame/1.5', '/api/body/0/frame/0x1', '/api/body/0/frame/+1',
    `/api/body/0/frame/${huge}`, `/api/body/${bodies.length}/topology`, `/api/body/${huge}/topology`,
    '/api/body/-1/frame/0', '/api/body//frame/0', '/api/body/0/frame/0/0', '/api/body/0',
    `/api/certificate?from=${frames + 1000000}`, '/api/certificate?from=-1',
    '/api/certificate?from=x']) {
    const answer = await expectStatus(`index ${path.slice(0, 60)}`, 404, path);
    check('  with a line that says so', /^[^\n]+\n$/.test(answer.body), answer.body);
  }
}

async function checkNonsense() {
  const strange = ['\r\n\r\n', 'GET\r\n\r\n',
    '\u0000\u0001\u0002\r\n\r\n', `GET /${'a'.repeat(20000)} HTTP/1.1\r\n`,
    `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=5-1\r\nConnection: close\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=0-999999999\r\nConnection: close\r\n\r\n`,
    `GET /api/recording HTTP/1.1\r\nHost: 127.0.0.1\r\nRange: bytes=999999-\r\nConnection: close\r\n\r\n`];
  for (const text of strange) await exchange(text).catch(() => undefined);
  await expectStatus('the page after nonsense', 200, '/');
}

const recording = await checkAnswers();
await checkHosts();
await checkMethods();
await checkPaths();
await checkIndices(recording);
await checkNonsense();
console.log(failures === 0 ? 'server: all checks passed' : `server: ${failures} checks FAILED`);
process.exit(failures === 0 ? 0 : 1);
