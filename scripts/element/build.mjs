/** Builds `<catalog-search>` from `src/element/page` into one file. */
import path from 'node:path'
import { root } from '../wrangler.mjs'

/**
 * The script as it is served. The same sources and tools make the same bytes.
 *
 * @returns {Promise<string>}
 */
export async function buildElement() {
  const { build } = await import('vite')
  const [{ output }] = await build({
    configFile: false,
    root: path.join(root, 'src', 'element', 'page'),
    cacheDir: path.join(root, 'node_modules', '.vite'),
    logLevel: 'warn',
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: 'index.ts', formats: ['es'], fileName: 'catalog-search' },
      rolldownOptions: { checks: { pluginTimings: false } },
    },
  })
  if (output.length !== 1) throw new Error(`the element is ${output.length} files instead of one`)
  return output[0].code
}
