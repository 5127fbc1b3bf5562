/** The full-text index, which `wrangler d1 export` cannot export: the Worker's own statement that fills it. */
import { sql } from 'drizzle-orm'
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core'

// Not by `import`, which an old Node would follow into TypeScript before any script could say what it needs.
const { indexRecords } = await import('#worker/search/index/word-index')

const dialect = new SQLiteSyncDialect()

/**
 * The statement that puts records into the index, on one line.
 *
 * @param {string} condition on `records`; none of them is in the index
 */
export function indexStatement(condition) {
  const insertion = indexRecords(sql.raw(condition))
  return dialect
    .sqlToQuery(insertion.inlineParams())
    .sql.replaceAll(/'([\t\n\r\f\b]+)'/g, (_, text) => `char(${Array.from(text, (each) => each.charCodeAt(0))})`)
    .replaceAll(/\s+/g, ' ')
}
