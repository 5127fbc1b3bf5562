/**
 * The schema as the migrations leave it, as the text of `docs/schema.sql`. Rules that live in triggers are spread over
 * many migrations; here each trigger stands with its final text, below its table.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { migrate } from '../database/migrate.mjs'
import { openSqlite } from '../database/sqlite.mjs'
import { root } from '../wrangler.mjs'

export const SCHEMA_FILE = path.join(root, 'docs', 'schema.sql')

const HEAD = `-- The tables of a database after all migrations, each with its indexes and triggers. Generated: \`npm run docs\`.
-- Every database has all tables. docs/architecture.md says which of them are used in the control database alone.
`

/** SQLite keeps statements as the migrations wrote them. Internal tables have none, or belong to a virtual table. */
const STATEMENTS = `SELECT s.type, s.name, s.tbl_name, s.sql FROM sqlite_schema s
  JOIN pragma_table_list l ON l.name = s.tbl_name AND l.schema = 'main'
  WHERE s.sql IS NOT NULL AND l.type <> 'shadow' AND s.name NOT LIKE 'sqlite%' AND s.name <> 'd1_migrations'
  ORDER BY s.tbl_name, s.type = 'trigger', s.type = 'index', s.name`

/** Each table or view, then its indexes, then its triggers. */
async function statements() {
  const database = openSqlite()
  try {
    await migrate(database)
    return (await database.read(STATEMENTS)).map(([type, name, tbl_name, sql]) => ({
      type,
      name,
      tbl_name,
      sql,
    }))
  } finally {
    await database.close()
  }
}

const filesOf = (directory, end) =>
  readdirSync(directory)
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => readFileSync(path.join(directory, name), 'utf8'))

const TABLE = /\/\*\*((?:(?!\*\/).)*)\*\/\s*export const \w+ = sqliteTable\(\s*'(\w+)'/gs

/** What `src/worker/storage/schema/` says above a table, by the table's name. */
function tableComments() {
  const comments = new Map()
  for (const source of filesOf(path.join(root, 'src', 'worker', 'storage', 'schema'), '.ts')) {
    for (const [, comment, table] of source.matchAll(TABLE)) {
      const lines = comment.split('\n').map((line) => line.replace(/^\s*\*? ?/, '').trim())
      comments.set(table, lines.join('\n').trim().split('\n'))
    }
  }
  return comments
}

const CREATED = /((?:^-- .*\n)*)^CREATE (?:VIRTUAL TABLE|VIEW|TRIGGER) (\w+)/gm

/** Sentences of migrations about themselves, which say nothing about the schema. */
const ABOUT_MIGRATION =
  /(?:The new triggers are made before the old ones are dropped, so that no write slips through|Counting at the first use keeps this migration short)\./g

/** What the last migration that made a virtual table, a view or a trigger says above it, by its name. */
function migrationComments() {
  const comments = new Map()
  for (const migration of filesOf(path.join(root, 'migrations'), '.sql')) {
    for (const [, comment, name] of migration.matchAll(CREATED)) {
      const lines = comment
        .split('\n')
        .map((line) => line.slice('-- '.length).replace(ABOUT_MIGRATION, '').trim())
      comments.set(
        name,
        lines.filter((line) => line !== ''),
      )
    }
  }
  return comments
}

const QUOTED = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`/g

/** Applies `change` to what stands outside of quotes. */
function outsideQuotes(sql, change) {
  const quoted = []
  const bare = sql.replace(QUOTED, (text) => `'${quoted.push(text) - 1}'`)
  return change(bare).replace(/'(\d+)'/g, (_, position) => quoted[Number(position)])
}

/** The parts of a list, which may have commas inside of parentheses. */
function partsOf(list) {
  const parts = ['']
  let depth = 0
  for (const letter of list) {
    if (letter === '(') depth++
    if (letter === ')') depth--
    if (letter === ',' && depth === 0) parts.push('')
    else parts[parts.length - 1] += letter
  }
  return parts.map((part) => part.trim())
}

/** One column per line. SQLite puts a column that was added later on the line of the one before it. */
const laidOutTable = (sql) =>
  outsideQuotes(sql, (bare) => {
    const open = bare.indexOf('(')
    const close = bare.lastIndexOf(')')
    const columns = partsOf(bare.slice(open + 1, close).replace(/\s+/g, ' '))
    return `${bare.slice(0, open)}(\n  ${columns.join(',\n  ')}\n${bare.slice(close)}`
  })

/** The event, the condition and each statement on lines of their own. */
const laidOutTrigger = (sql) =>
  outsideQuotes(sql, (bare) => {
    const [, head, body] = /^(.*?) BEGIN (.*) END;?$/.exec(bare)
    return `${head.replace(' WHEN ', '\nWHEN ')}\nBEGIN\n  ${body.replaceAll('; ', ';\n  ')}\nEND`
  })

/**
 * @param {{ type: string, sql: string }} statement as SQLite keeps it
 * @returns {string} the same statement on more lines
 */
export function laidOut({ type, sql }) {
  if (type === 'trigger') return `${laidOutTrigger(sql)};`
  return type === 'table' && !/^CREATE VIRTUAL/i.test(sql) ? `${laidOutTable(sql)};` : `${sql};`
}

const ruled = (name) => `-- ${name} `.padEnd(100, '-')

function blockOf(statement, comments) {
  const lines = [
    ...(statement.name === statement.tbl_name ? [ruled(statement.name), ''] : []),
    ...(comments.get(statement.name) ?? []).map((line) => `-- ${line}`.trimEnd()),
    laidOut(statement),
  ]
  return `${lines.join('\n')}\n`
}

/** @returns {Promise<string>} what `docs/schema.sql` must be */
export async function schemaText() {
  const comments = new Map([...migrationComments(), ...tableComments()])
  const blocks = (await statements()).map((statement) => blockOf(statement, comments))
  return [HEAD, ...blocks].join('\n')
}

/** @returns {Promise<string[]>} what is wrong with `docs/schema.sql` */
export async function schemaErrors() {
  return readFileSync(SCHEMA_FILE, 'utf8') === (await schemaText())
    ? []
    : ['docs/schema.sql is not the schema that the migrations make: run `npm run docs`.']
}
