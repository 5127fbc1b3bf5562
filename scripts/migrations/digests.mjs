/**
 * The list of migrations and their SHA-256, in the form of `sha256sum`. A migration in the list is never edited,
 * because databases that have applied it would differ from the files. The list works without git and in a shallow
 * clone.
 */
import { createHash } from 'node:crypto'

export const DIGESTS_FILE = 'SHA256SUMS'

export const digestOf = (text) => createHash('sha256').update(text).digest('hex')

/** @returns {Map<string, string>} digests by the names of the files */
export function parseDigests(text) {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [, digest, name] = /^([0-9a-f]{64}) {2}(\S+)$/.exec(line) ?? []
      if (!name) throw new Error(`${DIGESTS_FILE}: not a line of sha256sum: ${line}`)
      return [name, digest]
    }),
  )
}

/** @param {Map<string, string>} digests */
export const formatDigests = (digests) =>
  [...digests]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, digest]) => `${digest}  ${name}\n`)
    .join('')

/**
 * Compares the files with the list.
 *
 * @param {Map<string, string>} digests
 * @param {Map<string, string>} files text by name
 * @returns {string[]} what is wrong
 */
export function digestErrors(digests, files) {
  const known = [...digests].flatMap(([name, digest]) => {
    const text = files.get(name)
    if (text === undefined) return [`${name}: is in ${DIGESTS_FILE} and must not be deleted or renamed`]
    return digestOf(text) === digest
      ? []
      : [`${name}: is in ${DIGESTS_FILE} and must not be edited: add a migration`]
  })
  const missing = [...files.keys()].filter((name) => !digests.has(name))
  return [
    ...known,
    ...missing.map(
      (name) =>
        `${name}: is not in ${DIGESTS_FILE}; add it with \`node scripts/migrations/check.mjs --record\``,
    ),
  ]
}

/**
 * Compares the list with an earlier one, such as that of the last commit.
 *
 * @returns {string[]} lines that were changed or removed
 */
export const listErrors = (earlier, digests) =>
  [...earlier].flatMap(([name, digest]) =>
    digests.get(name) === digest
      ? []
      : [`${name}: its line in ${DIGESTS_FILE} must stay as it was committed`],
  )
