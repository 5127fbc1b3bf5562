import type { WriteResult } from '#client/catalog-client'
import type { CellQuestion, Doubt } from '#files/cells/cell-questions'
import { type FileColumn, isDoubtful } from '#files/columns/columns'
import { fitOf } from '#files/columns/table-fit'
import {
  asksEncoding,
  asksHeader,
  asksHiddenRows,
  asksTotals,
  columnsToExplain,
  type FileSummary,
  openQuestions,
} from '#files/file-summary'
import type { ReadFile } from '#files/open-file'
import { ENCODINGS } from '#files/text/encodings'
import type { RecordType } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'

/**
 * The questions that a file leaves open, with the options that answer them. What the file holds stands below the first
 * line, because that is told to the service.
 */

/** A column that nobody has decided about, although its header does not say what it is. */
export const isOpen = (column: FileColumn): boolean => column.by !== 'person' && isDoubtful(column)

/** The `--map` option for a column. */
const answerFor = ({ header, field, reversed, unit }: FileColumn): string =>
  `--map "${header}=${reversed ? '!' : ''}${field?.name ?? ''}${unit === undefined ? '' : ` ${unit}`}"`

function columnsQuestion({ csv }: FileSummary): string | undefined {
  if (!csv.hasHeader) return 'The file has no header row. Put one with the names of the columns above the records.'
  const open = csv.fileColumns.filter(isOpen)
  if (open.length === 0) return undefined
  return (
    'It is not clear what some columns are. Decide about each; without a field a column is left out, and ' +
    `--map "*=" leaves out all of them.\n${open.map(answerFor).join(' ')}`
  )
}

/** Asks which values of a status column mean that a record is active. */
function statesQuestion(file: FileSummary): string | undefined {
  const column = columnsToExplain(file).find(({ field }) => field?.name === 'is_active')
  if (column?.states === undefined) return undefined
  const values = column.states.map(({ value, count }) => `${value} (${count})`).join(', ')
  return (
    `Which values of “${column.header}” mean that a record is active? Name them with --active, separated by commas, ` +
    `or leave the column out with --map "${column.header}=".\nIt has ${values}.`
  )
}

interface CellAnswer {
  what: string
  answer: string
}

/** Of a file of text nothing is stored but what is shown. */
const doubtful = (open: readonly CellQuestion[]): CellAnswer => ({
  what: 'Some cells are doubtful.',
  answer: `Say what is written with --cells shown${
    open.some(({ examples }) => examples.some(({ stored }) => stored !== '')) ? ', --cells stored' : ''
  } or --cells empty`,
})

/** What is asked about cells, and the options that answer it, if --cells does not. */
const CELL_ANSWERS: Partial<Record<Doubt, CellAnswer>> = {
  placeholder: {
    what: 'Some cells probably mean “no value”.',
    answer: 'Empty them with --null-markers empty, or write them as they are with --null-markers keep',
  },
  joined: {
    what: 'Some items of lists look like several.',
    answer: 'Split them with --lists split, or take each as one with --lists keep',
  },
  broken: {
    what: 'Some characters look wrong.',
    answer: 'Repair them with --broken-text repair, or write them as they are with --broken-text keep',
  },
}

function cellsQuestion(file: FileSummary): string | undefined {
  const open = openQuestions(file)
  if (open.length === 0) return undefined
  const blank = open.find(({ doubt }) => doubt === 'blank')
  if (blank !== undefined) {
    return (
      `${countText(blank.count, 'row')} do not say whether they are active, such as row ` +
      `${blank.examples[0]?.row}. Say it with --blank-active yes or --blank-active no.`
    )
  }
  const [{ doubt }] = open as [CellQuestion]
  const isSame = (one: CellQuestion) => CELL_ANSWERS[one.doubt] === CELL_ANSWERS[doubt]
  const { what, answer } = CELL_ANSWERS[doubt] ?? doubtful(open.filter(isSame))
  const examples = open.filter(isSame).map(({ field, count, examples: [first] }) => {
    const stored = first?.stored ? `, perhaps “${first.stored}”` : ''
    return `${field}: ${countText(count, 'cell')}, such as “${first?.shown}” in row ${first?.row}${stored}`
  })
  return `${what} ${answer}, or correct them in the file.\n${examples.join('\n')}`
}

/**
 * The first question that a file leaves open; undefined if there is none.
 *
 * @param type is compared with what the file looks like; undefined if it is right
 */
export function openQuestion({ file, table }: ReadFile, type: RecordType | undefined): string | undefined {
  const { csv, hiddenRows } = file
  // First: nothing else of a file counts if it is of another catalog.
  const better = type && fitOf(table, type).better
  if (better !== undefined) {
    return (
      `The file looks like one of the catalog ${better.type}, not ${type?.name}. If it is right, say so with ` +
      '--type-is-right.'
    )
  }
  if (asksEncoding(file)) {
    const encodings = ENCODINGS.join(', ')
    return `The file is not UTF-8. Save it as “CSV UTF-8”, or name its encoding with --encoding: ${encodings}.`
  }
  if (asksHeader(file)) {
    return (
      `No record may stand above the header row: row ${csv.rowsAbove.map(({ row }) => row).join(', ')} looks like ` +
      'one. Put a header row with the names of the columns above all records.'
    )
  }
  const columns = columnsQuestion(file) ?? statesQuestion(file)
  if (columns !== undefined) return columns
  if (asksTotals(file)) {
    const rows = csv.totals.map(({ row, cells }) => `row ${row} (${cells.join(' ')})`)
    return (
      'Some rows probably aren’t records. Say with --totals leave-out or --totals keep what becomes of them.' +
      `\n${rows.join('\n')}`
    )
  }
  if (asksHiddenRows(file)) {
    return (
      `${countText(hiddenRows, 'row')} of the spreadsheet are hidden. Say with --hidden-rows leave-out ` +
      'or --hidden-rows read what becomes of them.'
    )
  }
  return cellsQuestion(file)
}

/**
 * The question that a dry run leaves open: whether ids that get a completely different name are the same records.
 *
 * @param headerRow place of the header row, from which rows are counted
 */
export function namesQuestion({ warnings }: WriteResult, headerRow: number): string | undefined {
  const warning = warnings.find(({ code }) => code === 'renamed')
  if (warning === undefined) return undefined
  const { count = 0, examples = [] } = warning
  const rows = examples.map(({ index, value, was }) => `row ${index + headerRow}: “${was}” becomes “${value}”`)
  return (
    `${countText(count, 'id')} of the catalog would get a completely different name. If these are the same records, ` +
    'say so with --other-names same. If not, give them ids of their own in the file. Nothing was written.' +
    `\n${rows.join('\n')}`
  )
}
