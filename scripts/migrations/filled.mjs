/** Runs the migrations one by one on a database that is full of records, and takes the time of each. */

import { migrate } from '../database/migrate.mjs'
import { migrationsUpTo } from '../database/release.mjs'
import { openSqlite } from '../database/sqlite.mjs'

/** Rows beside the records, for each record or for so many. */
const RECORDS_PER_CATALOG = 5000
const RECORDS_PER_WRITE = 50
const RECORDS_PER_DOCUMENT = 10

/** Row ids are `catalog * 2^36 + number`. */
const ROW_ID = `(1 + n / ${RECORDS_PER_CATALOG} << 36) + n % ${RECORDS_PER_CATALOG}`

const numbers = (count) =>
  `WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${Math.ceil(count) - 1})`

/**
 * What fills a database to the size of so many records, after the migration that makes the tables. Each record has a
 * word of its own and six that others have too. A migration that makes a table with a row for each record gets a line
 * here.
 *
 * @type {Record<string, (records: number) => string[]>}
 */
const FILLS = {
  '0000_catalogs.sql': (records) => [
    "INSERT INTO workspaces (workspace_id, name, created_at) VALUES ('north', 'North', 1)",
    `${numbers(records / RECORDS_PER_CATALOG)} INSERT INTO catalogs (workspace_id, type, revision, total_records, active_records, next_number)
      SELECT 'north' || n, 'medication', 2, ${RECORDS_PER_CATALOG}, ${RECORDS_PER_CATALOG}, ${RECORDS_PER_CATALOG} FROM numbers`,
    `${numbers(records / RECORDS_PER_WRITE)} INSERT INTO batches (batch_id, catalog_id, format, mode, size_bytes, created_by, created_at, warnings, written_at, revision_before, active_before, guarded, total, revision)
      SELECT 'write ' || n, 1 + n * ${RECORDS_PER_WRITE} / ${RECORDS_PER_CATALOG}, 'csv', 'upsert', 9, 'client', n, 0, n, n, 0, 0, 1, n + 1 FROM numbers`,
    `${numbers(records)} INSERT INTO records (seq, catalog_id, record_id, is_active, updated_at, place, prior, text_changed, name_length, search_text, data)
      SELECT ${ROW_ID}, 1 + n / ${RECORDS_PER_CATALOG}, 'R-' || n, 1, 1, n, 0, 1, 30,
        replace(format('//name%d  of  word%d  %dmg//generic%d//alias%d  word%d//', n, n % 2000, n % 90, n % 1000, n % 3000, n % 2000), '/', char(10)),
        json_array(format('Name%d of Word%d %dmg', n, n % 2000, n % 90), 'Generic' || n % 1000, json_array(format('Alias%d Word%d', n % 3000, n % 2000)),
          NULL, n % 90 || 'mg', 'GENERIC', 0, json_array('GENERIC'), 0, 'TABLET', 'SKU' || n, 0, 0, 0, 0, 0, 0, 'A MAKER OF MEDICATIONS LTD', 0)
      FROM numbers`,
  ],
  '0001_record_search.sql': () => [
    'INSERT INTO records_search (rowid, search_text) SELECT seq, search_text FROM records ORDER BY seq',
  ],
  '0004_documents_and_registrations.sql': (records) => [
    `${numbers(records / RECORDS_PER_DOCUMENT)} INSERT INTO documents (workspace_id, document_id, size_bytes, content_type, sha256, tasks, created_by, created_at)
      SELECT 'north' || n % 20, 'document ' || n, 9, 'application/pdf', hex(n), '[]', 'client', n FROM numbers`,
  ],
  '0010_history.sql': () => [
    `INSERT INTO record_versions (catalog_id, ended_at, row_id, written_at, is_active, state_before, data, search_text)
      SELECT catalog_id, 1, row_id, 0, 1, 0, data, search_text FROM records`,
  ],
  '0072_record_codes.sql': () => [
    'INSERT INTO record_code_values (row_id, catalog_id, record_id, data) SELECT row_id, catalog_id, record_id, data FROM records',
    'DELETE FROM uncoded_catalogs',
  ],
}

/**
 * @param {number} records
 * @returns {Promise<Map<string, number>>} the seconds of the processor that each migration takes, whatever else the
 * machine does
 */
export async function timesOf(records) {
  const database = openSqlite()
  const times = new Map()
  try {
    for (const name of migrationsUpTo()) {
      const before = process.cpuUsage()
      await migrate(database, name)
      const { user, system } = process.cpuUsage(before)
      times.set(name, (user + system) / 1e6)
      if (FILLS[name]) await database.batch(FILLS[name](records))
    }
    return times
  } finally {
    await database.close()
  }
}
