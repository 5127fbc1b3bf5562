/**
 * Part of `npm run check`: fails when a released file of `<catalog-search>` or its digest was changed, when the sources
 * differ from the newest release, or when the element is too large. With `--record <version>`, releases the sources
 * first.
 */
import '../require-node.mjs'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'vite'
import { root } from '../wrangler.mjs'
import { compressedSize, ELEMENT_FILE, listErrors, releaseErrors, sourceErrors, withRelease } from './releases.mjs'

const LIST = 'src/worker/pages/releases/releases.json'
const directory = path.join(root, path.dirname(LIST))

/** The list as it was last committed; empty when there is no git, or no commit with a list. */
function committedReleases() {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${LIST}`], { cwd: root, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : []
}

const fileOf = (version) => path.join(directory, version, ELEMENT_FILE)

function filesByVersion() {
  const versions = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return new Map(versions.map(({ name }) => [name, readFileSync(fileOf(name), 'utf8')]))
}

/** `<catalog-search>` in one file, as it is served. The same sources and tools make the same bytes. */
async function buildElement() {
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

const committed = committedReleases()
const built = await buildElement()
let releases = JSON.parse(readFileSync(path.join(root, LIST), 'utf8'))

const recorded = process.argv.indexOf('--record')
if (recorded !== -1) {
  const version = process.argv[recorded + 1] ?? ''
  releases = withRelease(releases, committed, version, built)
  mkdirSync(path.dirname(fileOf(version)), { recursive: true })
  writeFileSync(fileOf(version), built)
  writeFileSync(path.join(root, LIST), `${JSON.stringify(releases, null, 2)}\n`)
}

const errors = [
  ...releaseErrors(releases, filesByVersion()),
  ...listErrors(committed, releases),
  ...sourceErrors(releases, built),
]
if (errors.length > 0) {
  process.stderr.write(`${errors.join('\n')}\n`)
  process.exitCode = 1
} else {
  process.stdout.write(`catalog-search ${releases.at(-1).version}: ${compressedSize(built)} bytes compressed\n`)
}
