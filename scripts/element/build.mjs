/** Builds `<catalog-search>` from `src/element` into one file. */
import path from 'node:path'
import { root } from '../wrangler.mjs'
import { ELEMENT_FILE } from './releases.mjs'

/**
 * The script as it is served. The same sources and tools make the same bytes.
 *
 * @returns {Promise<string>}
 */
export async function buildElement() {
  const { build } = await import('vite')
  const source = path.join(root, 'src', 'element')
  // One bundle, and no watcher.
  const bundle = /** @type {any} */ (
    await build({
      configFile: false,
      root: source,
      cacheDir: path.join(root, 'node_modules', '.vite'),
      logLevel: 'warn',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        write: false,
        target: 'es2022',
        minify: true,
        modulePreload: { polyfill: false },
        // Not as a library: those keep their white space.
        rolldownOptions: {
          input: path.join(source, 'index.ts'),
          output: { entryFileNames: ELEMENT_FILE, format: 'es' },
          checks: { pluginTimings: false },
        },
      },
    })
  )
  const { output } = bundle
  if (output.length !== 1) throw new Error(`the element is ${output.length} files instead of one`)
  return output[0].code
}
