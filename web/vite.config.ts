import fs from 'node:fs';

import { defineConfig, type Rollup } from 'vite';

// What several pages share: `<!-- part: NAME -->` becomes the text of parts/NAME.html.
const parts = {
  name: 'parts',
  transformIndexHtml: {
    order: 'pre' as const,
    handler: (html: string) =>
      html.replaceAll(/<!-- part: ([a-z]+) -->/g, (_, name) =>
        fs.readFileSync(`parts/${name}.html`, 'utf8').trimEnd(),
      ),
  },
};

// The licences of the packages whose code is in the page, in a file beside it.
const licences = {
  name: 'licences',
  generateBundle(this: Rollup.PluginContext, _: unknown, bundle: Record<string, { modules?: object }>) {
    const files = Object.values(bundle).flatMap((part) => Object.keys(part.modules ?? {}));
    const names = files.flatMap((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
    const texts = [...new Set(names)].sort().map((name) => {
      const folder = `node_modules/${name}`;
      const { version, license } = JSON.parse(fs.readFileSync(`${folder}/package.json`, 'utf8'));
      const text = fs.readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
      if (!text) throw new Error(`${folder} has no licence to pass on`);
      return `${name} ${version} (${license})\n\n${fs.readFileSync(`${folder}/${text}`, 'utf8')}`;
    });
    const source = texts.join(`\n${'-'.repeat(78)}\n\n`);
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source });
  },
};

// Fixed names and no inlined data: the server embeds the files and its content policy is 'self'.
export default defineConfig({
  base: '/',
  plugins: [parts, licences],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      input: { viewer: 'index.html', model: 'model.html', live: 'live.html' },
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
