import { type FieldError, fieldError } from '#shared/errors/errors'
import { DEFAULT_EXAMPLES, MAX_CELL_CHARACTERS } from '#shared/limits'
import type { Field, RecordType } from '#shared/records/record-type'
import { textKeptByFormula } from '#shared/records/text-faults'
import { countText, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'
import { CARRIAGE_RETURN, LINE_FEED } from '#shared/text/characters'
import { unreadableFile } from './errors'
import type { Header } from './header'
import type { Cells } from './rows'

const TEXT_AFTER_QUOTE =
  'has text after its closing quote; write a quote inside a quoted value twice, and put a separator or a line ' +
  'break after the closing quote'

/** @throws ApiError 400 for a header row that cannot be read */
export function requireHeader({ faults }: Cells): void {
  const fault = faults?.find(({ kind }) => kind === 'text after quote')
  if (fault === undefined) return
  const column = fault.position + 1
  throw unreadableFile('malformed', `column ${column} of the header row ${TEXT_AFTER_QUOTE}`, null, { row: 0, column })
}

/** Counts without making a list: a cell may have megabytes of line ends. */
function lineEndsAndSeparators(cell: string, separator: string): { lineEnds: number; separators: number } {
  const separatorCode = separator.charCodeAt(0)
  let lineEnds = 0
  let separators = 0
  for (let i = 0; i < cell.length; i++) {
    const code = cell.charCodeAt(i)
    if (code === separatorCode) separators++
    else if (code === LINE_FEED || (code === CARRIAGE_RETURN && cell.charCodeAt(i + 1) !== LINE_FEED)) lineEnds++
  }
  return { lineEnds, separators }
}

/** Decides whether the faults of a cell are errors of its row or warnings. */
export class RowFaults {
  readonly #type: RecordType
  readonly #headers: Cells
  readonly #header: Header
  readonly #separator: string
  readonly #warnings: Warning[]
  /** Values that may contain whole rows, by column position. */
  readonly #suspiciousColumns = new Map<number, { count: number; row: number; warning: Warning }>()

  constructor(type: RecordType, headers: Cells, header: Header, separator: string, warnings: Warning[]) {
    this.#type = type
    this.#headers = headers
    this.#header = header
    this.#separator = separator
    this.#warnings = warnings
  }

  errorsOf(row: number, cells: Cells): FieldError[] {
    const errors: FieldError[] = []
    for (const { position, kind } of cells.faults ?? []) {
      const cell = (cells[position] ?? '').trim()
      const reason = kind === 'text after quote' ? TEXT_AFTER_QUOTE : this.#lineEndReason(row, cell, position)
      if (reason === null) continue
      const column = position + 1
      const msg = `${reason} (row ${row}, column ${column})`
      errors.push(fieldError(row, this.#nameOf(position), 'malformed', msg, cell, { row, column }))
    }
    return errors
  }

  #fieldAt(position: number): Field | undefined {
    return this.#header.columns.find((column) => column.position === position)?.field
  }

  #nameOf(position: number): string | null {
    return this.#fieldAt(position)?.name ?? (this.#headers[position]?.trim() || null)
  }

  /** Null if the value may contain line ends. Then it may contain rows. */
  #lineEndReason(row: number, cell: string, position: number): string | null {
    const name = this.#fieldAt(position)?.name
    if (name === 'name' || name === this.#type.idField) {
      return /[\r\n]/.test(cell)
        ? 'must not contain a line break; a missing or extra quote may have merged several rows into one value'
        : null
    }
    if (this.#holdsRows(cell)) this.#warn(row, position)
    return null
  }

  /** Whether a value has as many separators per line as rows have. */
  #holdsRows(cell: string): boolean {
    // Longer than any valid value, so do not count.
    if (cell.length > MAX_CELL_CHARACTERS) return true
    const { lineEnds, separators } = lineEndsAndSeparators(cell, this.#separator)
    return lineEnds > 0 && this.#header.width > 1 && separators >= lineEnds * (this.#header.width - 1)
  }

  #warn(row: number, position: number): void {
    let column = this.#suspiciousColumns.get(position)
    if (column === undefined) {
      column = { count: 0, row, warning: { field: this.#nameOf(position) ?? `column ${position + 1}`, msg: '' } }
      this.#suspiciousColumns.set(position, column)
      // Put these first, because not all warnings about ignored columns are listed.
      this.#warnings.unshift(column.warning)
    }
    column.count++
    column.warning.msg =
      `${column.count === 1 ? 'a value' : `${column.count} values`} in this column, the first in row ` +
      `${column.row}, looks like several rows: if a quote is missing there, or one is too many, those rows ` +
      'were read as part of the value'
  }
}

const EQUALS = 0x3d
const SPACE = 0x20

/** Reads cells of the form `="1001"` as their text, and counts them. */
export class KeptTexts {
  readonly #warnings: Warning[]
  readonly #examples: WarningExample[] = []
  readonly #warning: Warning = { field: 'file', msg: '', code: 'formula_text', examples: this.#examples }
  #count = 0

  constructor(warnings: Warning[]) {
    this.#warnings = warnings
  }

  /** The text of a cell. @param row below the header row */
  textOf(cell: string, row: number): string {
    // Almost no cell begins like this.
    const first = cell.charCodeAt(0)
    const text = first === EQUALS || first <= SPACE ? textKeptByFormula(cell) : undefined
    if (text === undefined) return cell
    if (this.#count === 0) this.#warnings.push(this.#warning)
    const count = ++this.#count
    // A copy, because a substring of a cell would keep the whole file in memory.
    if (this.#examples.length < DEFAULT_EXAMPLES) this.#examples.push({ index: row, value: [...cell.trim()].join('') })
    this.#warning.count = count
    this.#warning.msg =
      `${countText(count, 'cell')} of the form ="…", by which spreadsheet programs keep text, read as that text: ` +
      namedValues(this.#examples, count)
    return text
  }
}
