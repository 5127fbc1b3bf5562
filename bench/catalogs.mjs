/** The catalogs to measure with: the medications of the data folder, and catalogs derived from them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { utils, write } from '@e965/xlsx'
import Papa from 'papaparse'
import { root } from '../scripts/wrangler.mjs'

/** Rows of the real catalog. Without it, the samples are repeated up to this number. */
const REAL_ROWS = 44_328
/** Request body, in bytes. */
export const MAX_BODY_BYTES = 10 * 1024 * 1024

const LISTS = { aliases: '|', generic_list: '+' }
const BOOLEANS = new Set(['otc', 'is_active'])
/** The columns that search reads. */
const SEARCHED = ['name', 'display_name', 'aliases']
/** The columns to omit if a body would be too large, in this order. */
const EXPENDABLE = ['generic_name', 'manufacturer', 'sku', 'form_name', 'generic_list', 'display_name']

/**
 * @typedef {object} Catalog medications as a table of CSV cells
 * @property {string[]} columns
 * @property {string[][]} rows
 */

const SHARED_DATA = path.join(root, '..', 'shared', 'data')

/** The folder of the real catalogs. If it does not exist, the project's samples. */
export const dataDirectory = existsSync(path.join(SHARED_DATA, 'medications.csv'))
  ? SHARED_DATA
  : path.join(root, 'samples')

/**
 * The medications. If there are fewer than in the real catalog, they are repeated under new IDs.
 *
 * @returns {Promise<Catalog>}
 */
export async function readMedications() {
  const text = await readFile(path.join(dataDirectory, 'medications.csv'), 'utf8')
  const [columns, ...rows] = Papa.parse(text, { skipEmptyLines: true }).data
  const catalog = { columns, rows }
  return rows.length < REAL_ROWS ? resized(catalog, REAL_ROWS) : catalog
}

/**
 * The catalog with every row edited or removed.
 *
 * @param {Catalog} catalog
 * @param {(cells: string[], edit: (column: string, by: (cell: string) => string) => void, index: number) => void | false} change
 *   may edit the cells of a row; returns false to remove it
 * @returns {Catalog}
 */
function mapped(catalog, change) {
  const rows = []
  for (const [index, row] of catalog.rows.entries()) {
    const cells = [...row]
    const edit = (column, by) => {
      const position = catalog.columns.indexOf(column)
      if (position >= 0) cells[position] = by(cells[position])
    }
    if (change(cells, edit, index) !== false) rows.push(cells)
  }
  return { columns: catalog.columns, rows }
}

/** The first `count` rows. If there are fewer, the rows are repeated under new IDs. */
export function resized({ columns, rows }, count) {
  const id = columns.indexOf('medication_id')
  const repeated = Array.from({ length: count }, (_, index) => {
    const cells = [...rows[index % rows.length]]
    // A character that no ID of a real catalog contains, and the size, so that a catalog can be resized again.
    if (index >= rows.length) cells[id] += `~${rows.length}.${Math.floor(index / rows.length)}`
    return cells
  })
  return { columns, rows: repeated }
}

/**
 * The file of the next nightly sync. One record in 100 is changed, half of them in the name. One in 200 is missing.
 *
 * @param {Catalog} catalog
 * @returns {{ catalog: Catalog, changed: number, deactivated: number }} the counts that a reconcile must return
 */
export function nextNight(catalog) {
  const active = catalog.columns.indexOf('is_active')
  let changed = 0
  let deactivated = 0
  const next = mapped(catalog, (cells, edit, index) => {
    if (index % 200 === 50) {
      if (cells[active] === 'yes') deactivated++
      return false
    }
    if (index % 100 === 0) changed++
    if (index % 200 === 0) edit('name', (name) => `${name.slice(0, 190)} (new)`)
    if (index % 200 === 100) edit('strength', (strength) => `${strength.slice(0, 30)}*`)
  })
  return { catalog: next, changed, deactivated }
}

/** The same catalog with another strength in one record of a hundred. @returns also the number of these records */
export function fewChanged(catalog) {
  let changed = 0
  const next = mapped(catalog, (_cells, edit, index) => {
    if (index % 100 !== 7) return
    changed++
    edit('strength', (strength) => `${strength.slice(0, 30)}~`)
  })
  return { catalog: next, changed }
}

/** The same catalog with another strength in every row. */
export const allChanged = (catalog) =>
  mapped(catalog, (_cells, edit) => edit('strength', (strength) => `${strength.slice(0, 30)}+`))

/** The same catalog with an invalid value in every row. */
export const faulty = (catalog) => mapped(catalog, (_cells, edit) => edit('otc', () => '?'))

const DEVANAGARI = [...'अबचदएफगहइजकलमनओपकरसतउववशयझ']
const CYRILLIC = [...'абцдефгхийклмнопкрстувшхыз']

const spelledIn = (letters) => (text) =>
  text.toLowerCase().replace(/[a-z]/g, (letter) => letters[letter.charCodeAt(0) - 97])

/** The same catalog with names in Devanagari and in Cyrillic, alternating. */
export const nonLatin = (catalog) =>
  mapped(catalog, (_cells, edit, index) => {
    for (const column of SEARCHED) edit(column, spelledIn(index % 2 === 0 ? DEVANAGARI : CYRILLIC))
  })

/** The same catalog with one two-byte character in each name, so that every character of the text uses two bytes. */
export const accented = (catalog) =>
  mapped(catalog, (_cells, edit) => edit('name', (name) => name.replace(/[a-zA-Z]/, 'ā')))

/**
 * A catalog for lists and searches. Nearly all records are active, and the aliases contain the word of the dosage form.
 * Like in formularies that spell out the form, about half of the records share one word.
 */
export function searchable(catalog) {
  const form = catalog.columns.indexOf('form_name')
  return mapped(catalog, (cells, edit, index) => {
    edit('is_active', () => (index % 20 === 19 ? 'no' : 'yes'))
    const word = cells[form].split(/[ ,;/]/)[0].toLowerCase()
    edit('aliases', (aliases) => (aliases === '' ? word : `${aliases}|${word}`))
  })
}

/** The catalog of another workspace: the same words with other IDs and names. */
export const ofWorkspace = (catalog, number) =>
  mapped(catalog, (_cells, edit) => {
    edit('medication_id', (id) => `${number}.${id}`)
    edit('name', (name) => `${name.slice(0, 195)} ${number}`)
  })

/** @returns {Record<string, unknown>} a row as a JSON record, without absent values */
function recordOf(columns, cells) {
  const record = {}
  for (const [position, column] of columns.entries()) {
    const cell = cells[position]
    if (cell === '') continue
    if (column in LISTS) record[column] = cell.split(LISTS[column])
    else if (BOOLEANS.has(column)) record[column] = cell === 'yes' ? true : cell === 'no' ? false : cell
    else record[column] = cell
  }
  return record
}

/**
 * @typedef {object} CatalogBody
 * @property {'csv' | 'json'} format
 * @property {Buffer} bytes
 * @property {number} records
 * @property {string[]} dropped columns omitted to stay within the body limit
 */

/**
 * A catalog as a request body.
 *
 * @param {Catalog} catalog
 * @param {'csv' | 'json'} format
 * @param {string[]} [dropped] columns to omit
 * @returns {CatalogBody}
 */
export function bodyOf({ columns, rows }, format, dropped = []) {
  const kept = columns.filter((column) => !dropped.includes(column))
  const positions = kept.map((column) => columns.indexOf(column))
  const cellsOf = (row) => positions.map((position) => row[position])
  const text =
    format === 'csv'
      ? Papa.unparse([kept, ...rows.map(cellsOf)])
      : JSON.stringify(rows.map((row) => recordOf(kept, cellsOf(row))))
  return { format, bytes: Buffer.from(text), records: rows.length, dropped }
}

/** A catalog as a workbook, as a user would choose it. */
export function workbookOf({ columns, rows }) {
  const sheet = utils.aoa_to_sheet([columns, ...rows], { dense: true })
  return write(utils.book_new(sheet, 'Medications'), { type: 'buffer', bookType: 'xlsx', compression: true })
}

/** A catalog as a body, without some columns if it would be too large. */
export const fittingBody = (catalog, format) => bodyOf(catalog, format, columnsToDrop(catalog, format))

/** The columns to omit so that a catalog fits into one body. */
export function columnsToDrop(catalog, format) {
  for (let count = 0; count <= EXPENDABLE.length; count++) {
    const dropped = EXPENDABLE.slice(0, count)
    // Leaves room for the changes of `nextNight` and `allChanged`, which make each row slightly longer.
    const room = 16 * 1024 + 2 * catalog.rows.length
    if (bodyOf(catalog, format, dropped).bytes.byteLength < MAX_BODY_BYTES - room) return dropped
  }
  throw new Error(`${catalog.rows.length} records do not fit into one ${format} body.`)
}
