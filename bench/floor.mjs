/**
 * The floor: the time that plain Node and SQLite take for the same writes of the same data, without a service. The
 * tables and indexes come from the migrations of the service.
 */
import { readFileSync } from 'node:fs'
import Papa from 'papaparse'
import { MIGRATIONS, textOfMigration } from '../scripts/database/migrate.mjs'
import { TOKENS } from '../scripts/database/search-index.mjs'

// Imported late, so that a Node that is too old for them gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')
const { foldText } = await import('#shared/records/search-text')

const INSERT = `insert into records
  (row_id, catalog_id, record_id, is_active, updated_at, position, state_before, text_changed, name_length, search_text, codes, data)
  values (?, ?, ?, ?, ?, ?, 0, 1, ?, ?, ?, ?)`

const UPSERT = `${INSERT}
  on conflict (catalog_id, record_id) do update set
    is_active = excluded.is_active, updated_at = excluded.updated_at, position = excluded.position, state_before = 1 + is_active,
    text_changed = search_text is not excluded.search_text or codes is not excluded.codes,
    name_length = excluded.name_length, search_text = excluded.search_text, codes = excluded.codes, data = excluded.data
  where data is not excluded.data or is_active is not excluded.is_active`

const CHANGED = 'catalog_id = @catalog and is_active in (0, 1) and updated_at = @now'

/** The fields of a medication by their slots; see `src/shared/records/types/medication.ts`. */
const SLOTS = [
  ...['name', 'display_name', 'aliases', 'refid', 'strength', 'generic_name', 'generic_id', 'generic_list'],
  ...['generic_list_ids', 'form_name', 'sku', 'schedule_code', 'custom_type', 'therapy_class'],
  ...['therapy_class_id', 'action_class', 'action_class_id', 'manufacturer', 'otc'],
]

/** The id and the codes of a record, one line each; see `src/shared/records/search-text.ts`. */
function codesOf({ medication_id, sku, generic_id, generic_list_ids = [] }) {
  const codes = [medication_id, generic_id, ...generic_list_ids, sku].filter((code) => code !== undefined)
  return `\n${codes.map((code) => code.toLowerCase()).join('\n')}\n`
}

/** No record of a catalog has this number or a higher one. */
const UNUSED = 2 ** 20

/** Row id at which a catalog begins. */
const firstRowId = (catalog) => catalog * 2 ** 36

/** Lines of names, then lines of aliases; see `src/shared/records/search-text.ts`. */
function searchText({ name, display_name, aliases = [] }) {
  const first = foldText(name)
  const names = new Set([first, ...(display_name ? [foldText(display_name)] : [])])
  const text = `\n${[...names].join('\n')}\n`
  const others = new Set(aliases.map(foldText).filter((alias) => !names.has(alias)))
  return others.size === 0 ? text : `${text}\r${[...others].join('\r').replaceAll(' ', '\t')}\r`
}

/** The records of a CSV file, in the form that `JSON.parse` gives for a JSON file. */
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
 * Reads a file of records and calls `take` with the values of each row of the table.
 *
 * @param {(id: string, active: 0 | 1, rest: [nameLength: number, searchText: string, codes: string, data: string]) => void} take
 */
function readRecords(file, take) {
  const text = readFileSync(file, 'utf8')
  for (const record of file.endsWith('.csv') ? csvRecords(text) : JSON.parse(text)) {
    const { medication_id, is_active, name } = record
    take(medication_id, is_active === false ? 0 : 1, [
      name.length,
      searchText(record),
      codesOf(record),
      JSON.stringify(SLOTS.map((name) => record[name] ?? 0)),
    ])
  }
}

/**
 * The page cache of D1 in the runtime of Workers: SQLite's default of 2 MB. With more, the floor would read and write
 * far fewer pages than D1 can.
 */
const PAGE_CACHE_KIB = 2000

/** Opens a new database file with the tables of the service. */
export function openDatabase(file) {
  const database = new DatabaseSync(file)
  database.exec(`pragma journal_mode = WAL; pragma synchronous = NORMAL; pragma cache_size = -${PAGE_CACHE_KIB}`)
  for (const name of MIGRATIONS) database.exec(textOfMigration(name))
  return database
}

/** Runs work in one transaction, which is undone if it throws. */
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

/** A database file and the work on it. */
export class Floor {
  #database
  #catalogs = 0
  #now = Date.now()

  /** @param {string} file path of the database, which must not exist */
  constructor(file) {
    this.#database = openDatabase(file)
  }

  /** @returns {number} id of a catalog without records. It keeps no versions */
  newCatalog() {
    const insert = this.#database.prepare(
      "insert into catalogs (workspace_id, type, keeps_versions) values (?, 'medication', 0)",
    )
    return Number(insert.run(`w${++this.#catalogs}`).lastInsertRowid)
  }

  /**
   * First load: one prepared insert per record; statements at the end fill the search index.
   */
  load(catalog, file) {
    const now = ++this.#now
    const insert = this.#database.prepare(INSERT)
    this.#transaction(() => {
      let position = 0
      readRecords(file, (id, active, rest) => {
        insert.run(firstRowId(catalog) + position, catalog, id, active, now, position, ...rest)
        position++
      })
      this.#index({ catalog, now })
      this.#database.prepare('update catalogs set next_number = ? where catalog_id = ?').run(position, catalog)
    })
  }

  /**
   * Writes a catalog that already exists; writes only changed records.
   *
   * @param {number} catalog
   * @param {string} file
   * @param {{ reconcile?: boolean }} [options] reconcile: records not in the file become inactive, guard included
   * @returns {{ changed: number, deactivated: number }}
   */
  update(catalog, file, { reconcile = false } = {}) {
    const scope = { catalog, now: ++this.#now }
    const upsert = this.#database.prepare(UPSERT)
    return this.#transaction(() => {
      const before = reconcile ? this.#active(scope) : []
      const sent = new Set()
      let changed = 0
      let position = 0
      readRecords(file, (id, active, rest) => {
        // An unused row id, in case the record is new.
        const rowId = firstRowId(catalog) + UNUSED + position
        changed += upsert.run(rowId, catalog, id, active, scope.now, position, ...rest).changes
        if (reconcile) sent.add(id)
        position++
      })
      const leftOut = before.filter(({ record_id }) => !sent.has(record_id))
      if (leftOut.length * 2 > before.length) throw new Error('shrink guard')
      this.#deactivate(scope, leftOut)
      this.#reindex(scope)
      return { changed, deactivated: leftOut.length }
    })
  }

  #transaction(run) {
    return inTransaction(this.#database, run)
  }

  #active({ catalog }) {
    return this.#database
      .prepare('select row_id, record_id from records where catalog_id = @catalog and is_active = 1')
      .all({ catalog })
  }

  #deactivate({ now }, records) {
    const update = this.#database.prepare(
      'update records set is_active = 0, state_before = 2, text_changed = 0, updated_at = @now, position = -1 where row_id = @row_id',
    )
    for (const { row_id } of records) update.run({ now, row_id })
  }

  #index(scope) {
    this.#database
      .prepare(
        `insert into records_search (rowid, tokens)
          select row_id, ${TOKENS} from records where ${CHANGED} and text_changed = 1`,
      )
      .run(scope)
    this.#database
      .prepare(
        `insert into search_words (catalog_id, beginning, words)
          select @catalog, substr(word, 1, 2), json_group_array(word) from (
            select distinct substr(term, length(@catalog) + 2) as word from records_terms
            where term >= @catalog || 'a' and term < @catalog || 'e' and length(term) > length(@catalog) + 1)
          group by 2
          on conflict do update set words = excluded.words where words <> excluded.words`,
      )
      .run({ catalog: String(scope.catalog) })
  }

  #reindex(scope) {
    this.#database
      .prepare(
        `delete from records_search where rowid in
          (select row_id from records where ${CHANGED} and text_changed = 1 and state_before > 0)`,
      )
      .run(scope)
    this.#index(scope)
  }

  close() {
    this.#database.close()
  }
}
