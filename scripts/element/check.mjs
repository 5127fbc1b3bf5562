/**
 * The check of `<catalog-search>`: no released file or digest was changed, the sources match the newest release, and
 * the element is not too large. With `--record VERSION`, releases the sources first. Pages refer to a release by the
 * digest of its bytes, so a released file never changes.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { command, runMain } from '../script.mjs'
import { root } from '../wrangler.mjs'

/** The digests of the releases as subresource integrity values, oldest version first. */
const LIST = 'src/worker/pages/releases/releases.json'
const FILE = 'catalog-search.js'

/** Maximum size of the element, in bytes compressed with gzip. Browsers get it with Brotli, about a tenth smaller. */
export const MOST_BYTES = 9599

/**
 * Names that the element's classes use among themselves. A release shortens them, so that no page relies on them. None
 * of them is a name of the platform, of a response or of a text (`src/element/texts.ts`), because those would be
 * renamed, too.
 */
const INTERNAL_NAMES = [
  'active box choice close confirm describe dispatch drop expire follow forget freeze given internals',
  'isFrozen isOpen isStale isTyping isUnchosen isUntouched keepSource kind move obtain onAnswer',
  'onFailure onSlow optionWith ordinary parameters reach removeCopies renew report retryMs rowOf say',
  'seen session setId settle sources start stop sync takeToken toggle token tokens tryAgain typed write',
]
  .join(' ')
  .split(' ')

/** @typedef {{ version: string, integrity: string }} Release */

export const integrityOf = (text) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** Bytes of a text after compression. */
export const compressedSize = (text) => gzipSync(text, { level: 9 }).byteLength

/**
 * @param {Release[]} releases
 * @param {object} compared
 * @param {Release[]} compared.committedReleases the list in the last commit
 * @param {Map<string, string>} compared.files the released files, by version
 * @param {string} compared.element the result of the present sources
 * @returns {string[]} the errors
 */
export function releaseErrors(releases, { committedReleases, files, element }) {
  const known = new Map(releases.map(({ version, integrity }) => [version, integrity]))
  const errors = committedReleases
    .filter(({ version, integrity }) => known.get(version) !== integrity)
    .map(({ version }) => `${version}: its entry in the list of releases must stay as it was committed`)
  for (const version of new Set([...known.keys(), ...files.keys()])) {
    const text = files.get(version)
    if (text === undefined) errors.push(`${version}: is released and must not be deleted`)
    else if (!known.has(version)) errors.push(`${version}: is not in the list of releases`)
    else if (integrityOf(text) !== known.get(version))
      errors.push(`${version}: is released and must not change: pages name its digest. Release another version`)
  }
  const bytes = compressedSize(element)
  if (bytes > MOST_BYTES) errors.push(`the element has ${bytes} bytes compressed; at most ${MOST_BYTES} are allowed`)
  const newest = releases.at(-1)
  if (newest?.integrity !== integrityOf(element))
    errors.push(
      `the sources of the element differ from the newest release, ${newest?.version ?? 'which there is not'}. ` +
        'Release them: npm exec -- node scripts/element/check.mjs --record VERSION',
    )
  return errors
}

/**
 * The list with one more release, after the committed ones, which must not be replaced.
 *
 * @param {Release[]} committedReleases
 * @returns {Release[]}
 * @throws {Error} unless the version is higher
 */
export function withRelease(committedReleases, version, element) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error(`${version} is not a version such as 1.2.3`)
  const newest = committedReleases.at(-1)?.version ?? ''
  if (version.localeCompare(newest, 'en', { numeric: true }) <= 0)
    throw new Error(`${newest} is released. Choose a later version`)
  return [...committedReleases, { version, integrity: integrityOf(element) }]
}

/** `<catalog-search>` in one file, as it is served. The same sources and tools produce the same bytes. */
async function buildElement() {
  const { build } = await import('vite')
  const source = path.join(root, 'src', 'element')
  // One bundle, without a watcher.
  const { output } = /** @type {any} */ (
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
        // Nested rules are shorter. Browsers with popovers support them.
        cssTarget: 'esnext',
        modulePreload: { polyfill: false },
        // Not as a library, because Vite keeps the whitespace of libraries.
        rolldownOptions: {
          input: path.join(source, 'index.ts'),
          output: {
            entryFileNames: FILE,
            format: 'es',
            minify: {
              compress: true,
              mangle: true,
              mangleProps: { include: new RegExp(`^(?:${INTERNAL_NAMES.join('|')})$`) },
            },
          },
          checks: { pluginTimings: false },
        },
      },
    })
  )
  if (output.length !== 1) throw new Error(`the element is ${output.length} files instead of one`)
  return output[0].code
}

/** The list in the last commit; empty without git, or without a commit that contains the list. */
function readCommittedReleases() {
  const { status, stdout } = spawnSync('git', ['show', `HEAD:${LIST}`], { cwd: root, encoding: 'utf8' })
  return status === 0 ? JSON.parse(stdout) : []
}

/** @param {string} [version] to release the sources as, before the check @returns {Promise<string[]>} the errors */
export async function checkElement(version) {
  const list = path.join(root, LIST)
  const directory = path.dirname(list)
  const committedReleases = readCommittedReleases()
  const element = await buildElement()
  if (version !== undefined) {
    const releases = withRelease(committedReleases, version, element)
    mkdirSync(path.join(directory, version), { recursive: true })
    writeFileSync(path.join(directory, version, FILE), element)
    writeFileSync(list, `${JSON.stringify(releases, null, 2)}\n`)
  }
  const releases = JSON.parse(readFileSync(list, 'utf8'))
  const versions = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  const files = new Map(versions.map(({ name }) => [name, readFileSync(path.join(directory, name, FILE), 'utf8')]))
  return releaseErrors(releases, { committedReleases, files, element })
}

async function main({ record }) {
  const errors = await checkElement(record)
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

if (process.argv[1] === import.meta.filename)
  await runMain(
    command('element', 'Checks the released files of <catalog-search> and its sources.')
      .name('npm exec -- node scripts/element/check.mjs')
      .option('--record <version>', 'release the sources as this version first')
      .action(main),
  )
