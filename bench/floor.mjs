/**
 * The floor: the time that plain Node and SQLite need for the same writes of the same data, without a service. The
 * tables and indexes come from the service's migrations.
 */

import { DatabaseSync } from 'node:sqlite'
import Papa from 'papaparse'
import { codeTextMaker, SearchTexts } from '#shared/records/search/search-text'
import { medication } from '#shared/records/types/medication'
import { MIGRATIONS, textOfMigration } from '../scripts/database/migrate.ts'
import { indexStatement } from '../scripts/database/search-index.ts'

const UPSERT = `insert into records (row_id, catalog_id, record_id, is_active, written_at, position,
    was_active, text_changed, name_length, search_text, codes, data, digest)
  values (?, ?, ?, ?, ?, ?, null, 1, ?, ?, ?, ?, '')
  on conflict (catalog_id, record_id) do update set
    is_active = excluded.is_active, written_at = excluded.written_at, position = excluded.position, was_active = is_active,
    text_changed = search_text is not excluded.search_text or codes is not excluded.codes,
    name_length = excluded.name_length, search_text = excluded.search_text, codes = excluded.codes, data = excluded.data
  where data is not excluded.data or is_active is not excluded.is_active`

const CHANGED = 'catalog_id = @catalog and is_active in (0, 1) and written_at = @now'

/** The fields of a medication by their slots; see `src/shared/records/types/medication.ts`. */
const SLOTS = [
  ...['name', 'display_name', 'aliases', 'refid', 'strength', 'generic_name', 'generic_id', 'generic_list'],
  ...['generic_list_ids', 'form_name', 'sku', 'schedule_code', 'custom_type', 'therapy_class'],
  ...['therapy_class_id', 'action_class', 'action_class_id', 'manufacturer', 'otc'],
]

/** The records of a CSV file, in the form that `JSON.parse` returns for a JSON file. */
function* csvRecords(text) {
  const [columns, ...rows] = Papa.parse(text, { skipEmptyLines: true }).data
  for (const cells of rows) {
    const record = {}
    for (let i = 0; i < columns.length; i++) {
      const cell = cells[i]
      const column = columns[i]
      if (cell === '') continue
      if (column === 'aliases') record.aliases = cell.split('|')
      else if (column === 'generic_list' || column === 'generic_list_ids') record[column] = cell.split('+')
      else if (column === 'otc' || column === 'is_active') record[column] = cell === 'yes'
      else record[column] = cell
    }
    yield record
  }
}

/**
 * The table's values for each record of a body.
 *
 * @param {import('./catalogs.mjs').CatalogBody} body
 * @returns {Generator<[id: string, active: 0 | 1, ...rest: (number | string)[]]>}
 */
function* rowsOf({ format, bytes }) {
  const text = bytes.toString()
  const searchTexts = new SearchTexts(medication)
  const codesOf = codeTextMaker(medication)
  for (const record of format === 'csv' ? csvRecords(text) : JSON.parse(text)) {
    const { medication_id, is_active, name } = record
    const data = JSON.stringify(SLOTS.map((slot) => record[slot] ?? 0))
    yield [medication_id, is_active === false ? 0 : 1, name.length, searchTexts.of(record).text, codesOf(record), data]
  }
}

/**
 * The page cache of D1 in the Workers runtime: SQLite's default of 2 MB. With a larger cache, the floor would read and
 * write far fewer pages than D1 can.
 */
const PAGE_CACHE_KIB = 2000

/** Opens a new database file with the service's tables. */
export function openDatabase(file) {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = WAL; pragma synchronous = NORMAL; pragma cache_size = -${PAGE_CACHE_KIB}`)
  for (const name of MIGRATIONS) database.exec(textOfMigration(name))
  return database
}

/** Runs work in one transaction, which is rolled back if it throws. */
export function inTransaction(database, run) {
  database.exec('begin immediate')
  try {
    const result = run()
    database.exec('commit')
    return result
  } catch (error) {
    database.exec('rollback')
    throw error
  }
}

/** A database file and the operations on it. */
export class Floor {
  #database
  #catalogs = 0
  /** A row ID above those of all records. */
  #freeRowId = 1
  #now = Date.now()

  /** @param {string} file path of the database, which must not exist */
  constructor(file) {
    this.#database = openDatabase(file)
  }

  /** @returns {number} ID of a catalog without records and without versions */
  newCatalog() {
    const insert = this.#database.prepare(
      "insert into catalogs (workspace_id, type, keeps_versions) values (?, 'medication', 0)",
    )
    return Number(insert.run(`w${++this.#catalogs}`).lastInsertRowid)
  }

  /**
   * Writes each changed record with a prepared statement. Statements at the end update the search index.
   *
   * @param {number} catalog
   * @param {import('./catalogs.mjs').CatalogBody} body
   * @param {{ reconcile?: boolean }} [options] reconcile: deactivates records that are not in the body, with the guard
   * @returns {{ changed: number, deactivated: number }}
   */
  write(catalog, body, { reconcile = false } = {}) {
    const scope = { catalog, now: ++this.#now }
    return inTransaction(this.#database, () => {
      const upsert = this.#database.prepare(UPSERT)
      const before = reconcile ? this.#active(scope) : []
      const sent = new Set()
      let changed = 0
      let position = 0
      for (const [id, active, ...rest] of rowsOf(body)) {
        changed += Number(upsert.run(this.#freeRowId++, catalog, id, active, scope.now, position++, ...rest).changes)
        if (reconcile) sent.add(id)
      }
      const leftOut = before.filter(({ record_id }) => !sent.has(record_id))
      if (leftOut.length * 2 > before.length) throw new Error('shrink guard')
      this.#deactivate(scope, leftOut)
      this.#index(scope)
      return { changed, deactivated: leftOut.length }
    })
  }

  #active({ catalog }) {
    return this.#database
      .prepare('select row_id, record_id from records where catalog_id = @catalog and is_active = 1')
      .all({ catalog })
  }

  #deactivate({ now }, records) {
    const update = this.#database.prepare(
      'update records set is_active = 0, was_active = is_active, text_changed = 0, written_at = @now, position = -1 where row_id = @row_id',
    )
    for (const { row_id } of records) update.run({ now, row_id })
  }

  #index(scope) {
    const run = (sql) => this.#database.prepare(sql).run(scope)
    const hasNewTokens = `${CHANGED} and (text_changed = 1 or was_active is not is_active)`
    run(`delete from records_search where rowid in
      (select row_id from records where ${hasNewTokens} and was_active is not null)`)
    run(indexStatement(hasNewTokens))
    this.#database
      .prepare(
        `insert into search_words (catalog_id, beginning, words)
          select @catalog, substr(word, 1, 2), json_group_array(word) from (
            select distinct substr(term, length(prefix) + 2) as word
            from (select @catalog as prefix union all select @catalog || 'x') cross join records_terms
            where term >= prefix || 'a' and term < prefix || 'd' and length(term) > length(prefix) + 1)
          group by 2
          on conflict do update set words = excluded.words where words <> excluded.words`,
      )
      .run({ catalog: String(scope.catalog) })
  }

  close() {
    this.#database.close()
  }
}
