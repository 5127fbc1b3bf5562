/**
 * The static files of the Worker, in `dist/assets`. For `/docs` they are the style sheet, the script and the licence
 * texts of the Swagger UI package, and the guides. The console is built by Vite from `src/console`, and the demo of the search element
 * from `src/element/demo`. The released files of the element are copied. The package of the client is made by
 * `client/pack.mjs`.
 */
import fs, { cp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { command, runMain } from './script.mjs'
import { root } from './wrangler.mjs'

/** A variable of the environment. With it a build does nothing, because who starts it has made the files. */
export const ASSETS_ARE_BUILT = 'ASSETS_ARE_BUILT'

/** The Worker replaces it in the page by the nonce of each answer; see `src/worker/pages/console.ts`. */
const NONCE_PLACEHOLDER = 'nonce-of-this-answer'

const SWAGGER_UI_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]

const assets = path.join(root, 'dist', 'assets')

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

/** Fails a build unless `mantine.css` has the styles of all components that are used, and of no others. */
const checkMantineStyles = {
  name: 'check-mantine-styles',
  async generateBundle(_, bundle) {
    const files = Object.values(bundle)
    const scripts = files.map(({ code = '' }) => code).join('\n')
    const sheets = files.map(({ fileName, source = '' }) => (fileName.endsWith('.css') ? source : '')).join('\n')
    const folder = path.join(root, 'node_modules', '@mantine', 'core', 'styles')
    for await (const file of fs.glob('!(*.layer).css', { cwd: folder })) {
      const classes = (await fs.readFile(path.join(folder, file), 'utf8')).match(/\bm_[0-9a-f]+/g) ?? []
      const isUsed = classes.some((name) => scripts.includes(name))
      if (classes.length > 0 && isUsed !== sheets.includes(classes[0])) {
        throw new Error(`src/console/mantine.css ${isUsed ? 'lacks' : 'needs no'} @mantine/core/styles/${file}`)
      }
    }
  },
}

/**
 * Vite's settings for a page. There is no configuration file, because Vite would write another file beside it.
 *
 * @param {string[]} source folder in `src`
 * @param {string} base path of the page, and of its folder in `dist/assets`
 */
const pageSettings = (source, base) => ({
  configFile: /** @type {const} */ (false),
  root: path.join(root, 'src', ...source),
  base,
  cacheDir: path.join(root, 'node_modules', '.vite'),
  logLevel: /** @type {const} */ ('warn'),
  build: {
    outDir: path.join(assets, base),
    emptyOutDir: false,
    // Nothing is inlined as a `data:` address: scripts and styles come from this service's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})

const copy = (source, file, target) => cp(path.join(root, ...source, file), path.join(assets, target, file))

/** Deletes what earlier builds have left. Last, because a service may serve these files meanwhile. */
async function removeOlder(time) {
  for (const entry of await readdir(assets, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && (await stat(file)).mtimeMs < time) await rm(file)
  }
}

/** Makes all static files. */
export async function buildAssets() {
  // The clock of files is some milliseconds behind.
  const startedAt = Date.now() - 100
  // With that of a test runner, Vite would build pages for developers.
  process.env.NODE_ENV = 'production'
  // Imported only for a build: most scripts that use this file find the files made.
  const [{ build }, { default: react }, { packClient }, { buildGuides }] = await Promise.all([
    import('vite'),
    import('@vitejs/plugin-react'),
    import('./client/pack.mjs'),
    import('./docs/guides.mjs'),
  ])
  await build({
    ...pageSettings(['console'], '/console/'),
    plugins: [react(), styleSheetAfterFrame, checkMantineStyles],
    html: { cspNonce: NONCE_PLACEHOLDER },
    // The worker that reads files loads the library for workbooks only when it needs it.
    worker: { format: 'es' },
  })
  await build(pageSettings(['element', 'demo'], '/embed/demo/'))
  const releases = ['src', 'worker', 'pages', 'releases']
  for await (const file of fs.glob('*/*.js', { cwd: path.join(root, ...releases) })) await copy(releases, file, 'embed')
  for (const file of SWAGGER_UI_FILES) {
    const target = path.extname(file) === '' ? `${file}.txt` : file
    await cp(path.join(root, 'node_modules', 'swagger-ui-dist', file), path.join(assets, 'docs', target))
  }
  await buildGuides(path.join(assets, 'docs'))
  await packClient(path.join(assets, 'client'))
  await removeOlder(startedAt)
}

// `npm run build`, and the build of wrangler.
if (process.argv[1] === import.meta.filename) {
  const build = command(
    'build',
    'Makes the static files of the Worker in dist/assets: console, element, client, guides.',
  )
  await runMain(build.action(async () => void (process.env[ASSETS_ARE_BUILT] || (await buildAssets()))))
}
