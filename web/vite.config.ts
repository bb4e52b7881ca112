import { defineConfig } from 'vite';

// Fixed names and no inlined data: the server embeds the files and its content policy is 'self'.
export default defineConfig({
  base: '/',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: false,
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      input: { viewer: 'index.html', model: 'model.html' },
      output: {
        entryFileNames: 'assets/[name].js',
        chunkFileNames: 'assets/[name].js',
        assetFileNames: 'assets/[name][extname]',
      },
    },
  },
});
