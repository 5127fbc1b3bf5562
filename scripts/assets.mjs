/**
 * The static files of the Worker, in `dist/assets`. For `/docs` they are the style sheet, the script and the licence
 * texts of the Swagger UI package. The console is built by Vite from `src/console`, and the demo of the search element
 * from `src/element/demo`. The released files of the element are copied. The package of the client is made by
 * `client/pack.mjs`.
 *
 * The local service watches them, so a file is written only when it differs.
 */
import './require-node.mjs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { withDirectory } from './temporary-directory.mjs'
import { root } from './wrangler.mjs'

/**
 * Environment variable that tells a build to do nothing, because the process that starts it has already made the
 * files.
 */
export const ASSETS_ARE_BUILT = 'ASSETS_ARE_BUILT'

/**
 * Placeholder in the built page. The Worker replaces it by the nonce of each answer; see `src/worker/pages/console.ts`.
 */
const NONCE_PLACEHOLDER = 'nonce-of-this-answer'

const SWAGGER_UI_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]

const assets = path.join(root, 'dist', 'assets')

/** The file's bytes, or undefined when there is no such file. */
async function existing(file) {
  try {
    return await readFile(file)
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Makes `target` hold the named files of `source`, and no others. */
async function mirror(source, target, files) {
  await mkdir(target, { recursive: true })
  const wanted = new Set(files)
  for (const entry of await readdir(target, { recursive: true, withFileTypes: true })) {
    const name = path.relative(target, path.join(entry.parentPath, entry.name))
    if (entry.isFile() && !wanted.has(name)) await rm(path.join(target, name), { force: true })
  }
  for (const name of files) {
    const bytes = await readFile(path.join(source, name))
    const old = await existing(path.join(target, name))
    if (old?.equals(bytes)) continue
    await mkdir(path.dirname(path.join(target, name)), { recursive: true })
    await writeFile(path.join(target, name), bytes)
  }
}

async function filesIn(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(directory, path.join(entry.parentPath, entry.name)))
}

/**
 * Puts the style sheet of the page between its frame, which is shown before the style sheet is there, and what the
 * script shows: the styles that the script adds go before those of the style sheet. The script waits for it all the
 * same.
 */
const styleSheetAfterFrame = {
  name: 'style-sheet-after-frame',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const link = /\s*<link rel="stylesheet"[^>]*>/.exec(html)?.[0]
      if (link === undefined) throw new Error('the page of the console has no style sheet')
      return html.replace(link, '').replace(/\s*<div id="console">/, `${link}$&`)
    },
  },
}

/** Imported only for a build: most scripts that use this file find the files made. */
async function loadVite() {
  const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
  return { build, react }
}

/**
 * Vite's settings for a page, without `watch`. There is no configuration file, because Vite would write another file
 * beside it.
 *
 * @param {string[]} source folder in `src` @param {string} base path of the page
 *
 * @returns {any}
 */
const pageSettings = (source, base, outDir) => ({
  configFile: false,
  root: path.join(root, 'src', ...source),
  base,
  cacheDir: path.join(root, 'node_modules', '.vite'),
  logLevel: 'warn',
  build: {
    outDir,
    emptyOutDir: true,
    // Nothing is inlined as a `data:` address: scripts and styles come from this service's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})

const consoleSettings = (outDir, react) => ({
  ...pageSettings(['console'], '/console/', outDir),
  plugins: [react(), styleSheetAfterFrame],
  html: { cspNonce: NONCE_PLACEHOLDER },
  // The worker that reads files loads the library for workbooks only when it needs it.
  worker: { format: 'es' },
})

const publishConsole = async (built) => mirror(built, path.join(assets, 'console'), await filesIn(built))

/**
 * Calls `work` with NODE_ENV set to `production`: with the NODE_ENV of a test runner, Vite would build a page for
 * developers.
 */
async function inProduction(work) {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await work()
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

/** Puts the released files of the search element and its demo into one folder. */
async function publishElement(build, built) {
  const releases = path.join(root, 'src', 'worker', 'pages', 'releases')
  const demo = path.join(built, 'demo')
  await inProduction(() => build(pageSettings(['element', 'demo'], '/embed/demo/', demo)))
  for (const file of (await filesIn(releases)).filter((name) => name.endsWith('.js'))) {
    await cp(path.join(releases, file), path.join(built, file))
  }
  await mirror(built, path.join(assets, 'embed'), await filesIn(built))
}

/** Puts the package of the client, and what it is, into one folder. */
async function publishClient(build, built) {
  // Imported only for a build, as Vite is.
  const { packClient } = await import('./client/pack.mjs')
  const files = await inProduction(() => packClient(build))
  for (const { name, data } of files) await writeFile(path.join(built, name), data)
  await mirror(built, path.join(assets, 'client'), await filesIn(built))
}

/** Makes all static files. */
export async function buildAssets() {
  const swaggerUi = path.join(root, 'node_modules', 'swagger-ui-dist')
  await mirror(swaggerUi, path.join(assets, 'docs'), SWAGGER_UI_FILES)
  const { build, react } = await loadVite()
  await withDirectory(async (built) => {
    await inProduction(() => build(consoleSettings(built, react)))
    await publishConsole(built)
  })
  await withDirectory((built) => publishElement(build, built))
  await withDirectory((built) => publishClient(build, built))
}

/**
 * Builds the console when one of its sources changes: once for many changes, and one build at a time.
 *
 * @param {(error: Error) => void} onError called when a build fails
 * @returns {Promise<() => Promise<void>>} ends the watching
 */
export async function watchConsole(onError) {
  const { build, react } = await loadVite()
  const built = await mkdtemp(path.join(os.tmpdir(), 'console-'))
  const { build: options, ...others } = consoleSettings(built, react)
  const watcher = await inProduction(() => build({ ...others, build: { ...options, watch: {} } }))
  watcher.on('event', async (event) => {
    if (event.code === 'ERROR') onError(event.error)
    else if (event.code === 'END') await publishConsole(built).catch(onError)
  })
  return async () => {
    await watcher.close()
    await rm(built, { recursive: true, force: true })
  }
}

// `npm run build`, and the build of wrangler.
if (process.argv[1] === import.meta.filename) {
  await import('./no-arguments.mjs')
  if (!process.env[ASSETS_ARE_BUILT]) await buildAssets()
}
