/**
 * A migration only expands: the Worker of the release before runs on the new tables for some seconds, and again after a
 * rollback. What it uses is not renamed or dropped. The release after that may drop it, in a migration with a line
 * `-- contracts: …` that says why nothing uses it any more.
 */

/** The last migration from before the rule. */
const BEFORE_RULE = '0069_workspace_quotas.sql'

/** @type {readonly [RegExp, string][]} */
const CONTRACTIONS = [
  [/\bdrop\s+table\b/i, 'drops a table'],
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\bdrop\s+view\b/i, 'drops a view'],
  [/\brename\s+(?:to|column)\b/i, 'renames a table or a column'],
]

/**
 * @param {string} name of the migration's file
 * @param {string} text its SQL
 * @returns {string[]} what the Worker before it may not live with
 */
export function contractionErrors(name, text) {
  if (name <= BEFORE_RULE || /^-- contracts: \S/m.test(text)) return []
  const sql = text.replaceAll(/--.*$/gm, '')
  return CONTRACTIONS.filter(([pattern]) => pattern.test(sql)).map(
    ([, what]) => `${what}, which the Worker before it may use; see scripts/migrations/expand.mjs`,
  )
}
