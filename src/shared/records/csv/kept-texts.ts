import { DEFAULT_EXAMPLES } from '#shared/limits'
import { textKeptByFormula } from '#shared/records/text-faults'
import { countText, namedValues, type Warning, type WarningExample } from '#shared/records/warnings'

const EQUALS = 0x3d
const SPACE = 0x20

/** Whether a cell may have the form `="1001"`: nearly none has. */
const mayKeepText = (cell: string): boolean => {
  const first = cell.charCodeAt(0)
  return first === EQUALS || first <= SPACE
}

/** Reads cells of the form `="1001"` as their text, and counts them. */
export class KeptTexts {
  readonly #warnings: Warning[]
  readonly #examples: WarningExample[] = []
  readonly #warning: Warning = { field: 'file', msg: '', code: 'formula_text', examples: this.#examples }
  #count = 0

  /** @param warnings where the one warning is added */
  constructor(warnings: Warning[]) {
    this.#warnings = warnings
  }

  /** The text of a cell. @param row below the header row */
  textOf(cell: string, row: number): string {
    const text = mayKeepText(cell) ? textKeptByFormula(cell) : undefined
    if (text === undefined) return cell
    this.#note(cell, row)
    return text
  }

  #note(cell: string, row: number): void {
    if (this.#count === 0) this.#warnings.push(this.#warning)
    const count = ++this.#count
    // A copy, because the text of a cell keeps the whole file in memory.
    if (this.#examples.length < DEFAULT_EXAMPLES) this.#examples.push({ index: row, value: [...cell.trim()].join('') })
    this.#warning.count = count
    this.#warning.msg =
      `${countText(count, 'cell')} of the form ="…", by which spreadsheet programs keep text, read as that text: ` +
      namedValues(this.#examples, count)
  }
}
