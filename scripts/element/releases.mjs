/**
 * The released versions of `<catalog-search>`. Pages name them with the digest of their bytes, so a released file never
 * changes. The list holds the digests in the form of subresource integrity, oldest version first.
 */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

export const ELEMENT_FILE = 'catalog-search.js'

/** Most bytes of the element as browsers get it. */
export const MOST_BYTES = 8000

/** @typedef {{ version: string, integrity: string }} Release */

export const integrityOf = (text) => `sha384-${createHash('sha384').update(text).digest('base64')}`

/** Bytes of a text after compression. */
export const compressedSize = (text) => gzipSync(text, { level: 9 }).byteLength

const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/

/** @returns whether the first version comes after the second */
function isLater(one, other) {
  const [a, b] = [one, other].map((version) => version.split('.').map(Number))
  const place = a.findIndex((number, index) => number !== b[index])
  return place !== -1 && a[place] > b[place]
}

/**
 * Compares the files with the list.
 *
 * @param {Release[]} releases
 * @param {Map<string, string>} files text by version
 * @returns {string[]} what is wrong
 */
export function releaseErrors(releases, files) {
  const versionErrors = releases.flatMap(({ version, integrity }, index) => {
    const text = files.get(version)
    if (!VERSION.test(version)) return [`${version}: is not a version such as 1.2.3`]
    if (index > 0 && !isLater(version, releases[index - 1].version))
      return [`${version}: must come after ${releases[index - 1].version}`]
    if (text === undefined) return [`${version}: is released and must not be deleted`]
    return integrityOf(text) === integrity
      ? []
      : [`${version}: is released and must not change: pages name its digest. Release another version`]
  })
  const listed = new Set(releases.map(({ version }) => version))
  const unlisted = [...files.keys()].filter((version) => !listed.has(version))
  return [...versionErrors, ...unlisted.map((version) => `${version}: is not in the list of releases`)]
}

/**
 * Compares the list with an earlier one, such as that of the last commit.
 *
 * @param {Release[]} earlier
 * @param {Release[]} releases
 * @returns {string[]} entries that were changed or removed
 */
export const listErrors = (earlier, releases) =>
  earlier
    .filter(({ version, integrity }) => releases.every((one) => one.version !== version || one.integrity !== integrity))
    .map(({ version }) => `${version}: its entry in the list of releases must stay as it was committed`)

/**
 * Compares the newest release with what the sources make now.
 *
 * @param {Release[]} releases
 * @param {string} built
 * @returns {string[]} what is wrong
 */
export function sourceErrors(releases, built) {
  const bytes = compressedSize(built)
  const tooLarge =
    bytes > MOST_BYTES ? [`the element takes ${bytes} bytes compressed; at most ${MOST_BYTES} are allowed`] : []
  const newest = releases.at(-1)
  if (newest?.integrity === integrityOf(built)) return tooLarge
  return [
    ...tooLarge,
    `the sources of the element differ from the newest release, ${newest?.version ?? 'which there is not'}. ` +
      'Release them: npm exec -- node scripts/element/check.mjs --record <version>',
  ]
}

/**
 * The list with one more release.
 *
 * @param {Release[]} releases
 * @param {Release[]} committed releases that nobody may replace
 * @param {string} version
 * @param {string} built
 * @returns {Release[]}
 */
export function withRelease(releases, committed, version, built) {
  if (!VERSION.test(version)) throw new Error(`${version} is not a version such as 1.2.3`)
  if (committed.some((one) => one.version === version))
    throw new Error(`${version} is released. Choose a later version`)
  return [...releases.filter((one) => one.version !== version), { version, integrity: integrityOf(built) }]
}
