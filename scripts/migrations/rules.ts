/**
 * The rules for the text of a migration: those of `wrangler d1 migrations apply --remote`, and that it only expands. D1
 * splits a file into statements by other rules than SQLite and the local simulator. A file that breaks one of these
 * rules works locally, but its deployment fails with "incomplete input" (workers-sdk#4713, #4998, #14991, #15690).
 */

const MARKER = /^--> statement-breakpoint$/

interface Line {
  /** The part of a line before the comment, without quoted text. */
  blanked: string
  comment: string
}

/** Splits a line into the part before its comment, and the comment. `--` inside a string does not begin a comment. */
function splitComment(line: string): Line {
  const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
  const blanked = line.replace(quoted, (text) => ' '.repeat(text.length))
  const start = blanked.indexOf('--')
  return start === -1 ? { blanked, comment: '' } : { blanked: blanked.slice(0, start), comment: line.slice(start) }
}

/** The rules for a line. Each returns an error, or a falsy value. */
const LINE_RULES: readonly ((line: Line) => string | false)[] = [
  ({ comment }) =>
    !MARKER.test(comment) && /[;'"`]/.test(comment) && 'a comment must not hold a semicolon, a quote or a backtick',
  ({ blanked }) => /\/\*|\*\//.test(blanked) && 'comments begin with two dashes; /* */ is not taken',
  ({ blanked }) =>
    /\bcreate\s+(?:temp\w*\s+)?trigger\b/i.test(blanked) &&
    !/\sBEGIN\s.*;\s*END;?\s*$/.test(blanked) &&
    'a trigger must be on one line, from CREATE to END, with BEGIN and END in capitals',
  ({ blanked }) =>
    /^\s*(?:begin|end)\b/i.test(blanked) && 'BEGIN and END stand on the line of their trigger, and nowhere else',
  ({ blanked }) =>
    /\btrigger\b.*\bBEGIN\b.*[^(]\bCASE\b/i.test(blanked) && 'a CASE inside a trigger must be in parentheses',
]

/**
 * Checks one migration.
 *
 * @param text its SQL
 * @returns the errors, with line numbers from 1
 */
export function ruleErrors(text: string): string[] {
  if (text.includes('\r')) return ['line ends must be LF, without CR']
  return text.split('\n').flatMap((line, index) => {
    const parts = splitComment(line)
    return LINE_RULES.map((rule) => rule(parts))
      .filter(Boolean)
      .map((error) => `line ${index + 1}: ${error}`)
  })
}

/**
 * A migration only expands: the previous release's Worker runs on the new tables for some seconds, and again after a
 * rollback. Therefore a migration must not rename or drop anything that this Worker uses. The release after that may
 * drop it, in a migration with a line `-- contracts: …` that explains why it is no longer used.
 */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+table\b/i, 'drops a table'],
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\bdrop\s+view\b/i, 'drops a view'],
  [/\brename\s+(?:to|column)\b/i, 'renames a table or a column'],
]

/** @param text SQL of a migration @returns changes that the previous Worker cannot handle */
export function contractionErrors(text: string): string[] {
  if (/^-- contracts: \S/m.test(text)) return []
  const sql = text.replaceAll(/--.*$/gm, '')
  return CONTRACTIONS.filter(([pattern]) => pattern.test(sql)).map(
    ([, what]) => `${what}, which the Worker before it may use; see docs/architecture.md#migrations`,
  )
}
