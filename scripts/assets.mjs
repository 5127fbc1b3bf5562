/**
 * The static files of the Worker, in `dist/assets`. `/docs` needs the style sheet, the script and the license texts of
 * the Swagger UI package, and the guides. Vite builds the console from `src/console`, and the demo of the search
 * element from `src/element/demo`. The released files of the element are copied. `client/pack.mjs` creates the client's
 * package.
 */
import fs, { cp, readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { command, runMain } from './script.mjs'
import { root } from './wrangler.mjs'

/** Environment variable that makes a build do nothing, because the caller has already made the files. */
export const ASSETS_ARE_BUILT = 'ASSETS_ARE_BUILT'

/**
 * Placeholder in the page that the Worker replaces with the nonce of each response; see `src/worker/pages/console.ts`.
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

/**
 * Moves the style sheet of the page between its frame, which is visible before the style sheet is loaded, and the
 * content of the script. The script inserts its styles before those of the style sheet, and still waits for the style
 * sheet.
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

/** Fails a build unless `mantine.css` contains the styles of exactly those components that are used. */
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
 * Vite's settings for a page. There is no configuration file, because Vite would write another file next to it.
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
    // Nothing is inlined as a `data:` URL: scripts and styles come from this service's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: { checks: { pluginTimings: false } },
  },
})

const copy = (source, file, target) => cp(path.join(root, ...source, file), path.join(assets, target, file))

/** Deletes the files of earlier builds. Runs last, because a service may be serving these files during a build. */
async function removeOlder(time) {
  for (const entry of await readdir(assets, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (entry.isFile() && (await stat(file)).mtimeMs < time) await rm(file)
  }
}

/** Makes all static files. */
export async function buildAssets() {
  // File timestamps are some milliseconds behind the clock.
  const startedAt = Date.now() - 100
  // With a test runner's NODE_ENV, Vite would build development pages.
  process.env.NODE_ENV = 'production'
  // Imported only for a build: most scripts that use this file need no build.
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
    // The worker that reads files loads the library for workbooks only if needed.
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

// Run by `npm run build` and by wrangler's build.
if (process.argv[1] === import.meta.filename) {
  const build = command(
    'build',
    'Makes the static files of the Worker in dist/assets: console, element, client, guides.',
  )
  await runMain(build.action(async () => void (process.env[ASSETS_ARE_BUILT] || (await buildAssets()))))
}
