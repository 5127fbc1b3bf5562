/**
 * A migration only expands: the Worker of the release before runs on the new tables for some seconds, and again after a
 * rollback. What it uses is not renamed or dropped. The release after that may drop it, in a migration with a line
 * `-- contracts: …` that says why nothing uses it any more.
 */

/** @type {readonly [RegExp, string][]} */
const CONTRACTIONS = [
  [/\bdrop\s+table\b/i, 'drops a table'],
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\bdrop\s+view\b/i, 'drops a view'],
  [/\brename\s+(?:to|column)\b/i, 'renames a table or a column'],
]

/**
 * @param {string} text SQL of a migration
 * @returns {string[]} what the Worker before it may not live with
 */
export function contractionErrors(text) {
  if (/^-- contracts: \S/m.test(text)) return []
  const sql = text.replaceAll(/--.*$/gm, '')
  return CONTRACTIONS.filter(([pattern]) => pattern.test(sql)).map(
    ([, what]) => `${what}, which the Worker before it may use; see scripts/migrations/expand.mjs`,
  )
}
