/**
 * The rules for the text of a migration: those of `wrangler d1 migrations apply --remote`, and that it only expands.
 * The remote side cuts a file into statements by other rules than SQLite and the local side. A file that breaks one of
 * these rules works locally and fails in a deployment with "incomplete input" (workers-sdk#4713, #4998, #14991,
 * #15690).
 */

const MARKER = /^--> statement-breakpoint$/

interface Line {
  /** Before the comment, without what is in quotes. */
  blanked: string
  comment: string
}

/** The part of a line before its comment, and the comment; `--` inside a string does not begin one. */
function splitComment(line: string): Line {
  const quoted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g
  const blanked = line.replace(quoted, (text) => ' '.repeat(text.length))
  const start = blanked.indexOf('--')
  return start === -1 ? { blanked, comment: '' } : { blanked: blanked.slice(0, start), comment: line.slice(start) }
}

/** The rules for a line. Each returns an error, or a false value. */
const LINE_RULES: readonly ((line: Line) => string | false)[] = [
  ({ comment }) =>
    !MARKER.test(comment) && /[;'"`]/.test(comment) && 'a comment must not hold a semicolon, a quote or a backtick',
  ({ blanked }) => /\/\*|\*\//.test(blanked) && 'comments begin with two dashes; /* */ is not taken',
  ({ blanked }) =>
    /\bcreate\s+(?:temp\w*\s+)?trigger\b/i.test(blanked) &&
    !/\sBEGIN\s.*;\s*END;?\s*$/.test(blanked) &&
    'a trigger stands on one line, from CREATE to END, with BEGIN and END in capitals',
  ({ blanked }) =>
    /^\s*(?:begin|end)\b/i.test(blanked) && 'BEGIN and END stand on the line of their trigger, and nowhere else',
  ({ blanked }) =>
    /\btrigger\b.*\bBEGIN\b.*[^(]\bCASE\b/i.test(blanked) && 'a CASE inside a trigger stands in parentheses',
]

/**
 * Checks one migration.
 *
 * @param text its SQL
 * @returns what is wrong, with the numbers of the lines, which begin at 1
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
 * A migration only expands: the Worker of the release before runs on the new tables for some seconds, and again after a
 * rollback. What it uses is not renamed or dropped. The release after that may drop it, in a migration with a line
 * `-- contracts: …` that says why nothing uses it any more.
 */
const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bdrop\s+table\b/i, 'drops a table'],
  [/\bdrop\s+column\b/i, 'drops a column'],
  [/\bdrop\s+view\b/i, 'drops a view'],
  [/\brename\s+(?:to|column)\b/i, 'renames a table or a column'],
]

/** @param text SQL of a migration @returns what the Worker before it may not live with */
export function contractionErrors(text: string): string[] {
  if (/^-- contracts: \S/m.test(text)) return []
  const sql = text.replaceAll(/--.*$/gm, '')
  return CONTRACTIONS.filter(([pattern]) => pattern.test(sql)).map(
    ([, what]) => `${what}, which the Worker before it may use; see docs/architecture.md#migrations`,
  )
}
