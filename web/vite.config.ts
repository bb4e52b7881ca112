import fs from 'node:fs';

import { defineConfig } from 'vite';

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

// Fixed names and no inlined data: the server embeds the files and its content policy is 'self'.
export default defineConfig({
  base: '/',
  plugins: [parts],
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
