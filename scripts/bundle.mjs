/** Bundles of the sources: the Worker, and TypeScript for scripts. */
import path from 'node:path'
import { build } from 'esbuild'
import { root } from './wrangler.mjs'

/** Wrangler's bundle settings for a deployment. */
export const BUNDLE = {
  absWorkingDir: root,
  bundle: true,
  format: /** @type {const} */ ('esm'),
  target: 'es2024',
  conditions: ['workerd', 'worker', 'browser'],
  external: ['cloudflare:*'],
}

/**
 * Bundles the Worker in memory as wrangler does for a deployment.
 *
 * @param {string} main entry of the Worker
 * @returns {Promise<string>} its code
 * @throws {Error} naming each error of the sources, with its location
 */
export async function bundleWorker(main) {
  const { outputFiles } = await build({
    ...BUNDLE,
    entryPoints: [main],
    outfile: path.join(root, 'dist', 'worker', 'index.js'),
    write: false,
    sourcemap: 'inline',
    logLevel: 'silent',
  })
  return outputFiles[0].text
}

/**
 * Runs a TypeScript file with all of its imports, including files of the Worker. Node alone does not resolve imports
 * without a file extension.
 *
 * @param {string} file below the root
 * @returns {Promise<any>} the module
 */
export async function importBundled(file) {
  const { outputFiles } = await build({
    ...BUNDLE,
    entryPoints: [path.join(root, file)],
    write: false,
    platform: 'node',
    logLevel: 'silent',
  })
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`)
}
