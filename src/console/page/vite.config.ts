import path from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Stands in the built page where the Worker puts the nonce of each answer; see `../routes.ts`. */
const NONCE = 'nonce-of-this-answer'

export default defineConfig({
  root: import.meta.dirname,
  base: '/console/',
  plugins: [react()],
  html: { cspNonce: NONCE },
  build: {
    outDir: path.join(import.meta.dirname, '../../../dist/assets/console'),
    emptyOutDir: true,
    // Nothing is to be inlined as a `data:` address: scripts and styles come from this service's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
