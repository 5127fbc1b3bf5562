import path from 'node:path'
import { context } from 'esbuild'
import { root } from '../wrangler.mjs'

/** How wrangler bundles a Worker for a deployment. */
export const BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  format: /** @type {const} */ ('esm'),
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*'],
}

/**
 * Bundles the Worker as wrangler does for a deployment, without a file on the disk.
 *
 * @param {string} main entry of the Worker
 * @param {object} options
 * @param {boolean} options.watch whether it is bundled again when its sources change
 * @param {(code: string) => void} options.onBundle called with each new bundle, the first one too
 * @param {(message: string) => void} options.onError called when the changed sources cannot be bundled
 * @throws {Error} if the first bundle fails
 */
export async function bundleWorker(main, { watch, onBundle, onError }) {
  let first = true
  const report = {
    name: 'report',
    setup: ({ onEnd }) =>
      onEnd(({ errors, outputFiles }) => {
        if (errors.length === 0) onBundle(outputFiles[0].text)
        else if (!first) onError(errors.map(({ text, location }) => `${location?.file}: ${text}`).join('\n'))
        first = false
      }),
  }
  const bundler = await context({
    ...BUNDLE,
    entryPoints: [main],
    outfile: path.join(root, 'dist', 'worker', 'index.js'),
    write: false,
    sourcemap: 'inline',
    logLevel: 'silent',
    plugins: [report],
  })
  await bundler.rebuild()
  if (watch) await bundler.watch()
  else await bundler.dispose()
}
