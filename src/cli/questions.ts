import type { WriteResult } from '#client/catalog-client'
import type { CellChoice, CellQuestion, Doubt } from '#files/cells/cell-questions'
import { valueKey } from '#files/columns/column-values'
import { type FileColumn, isDoubtful, type Target } from '#files/columns/file-column'
import type { Fill } from '#files/columns/fills'
import { fitOf } from '#files/columns/table-fit'
import {
  asksColumns,
  asksEncoding,
  asksHeader,
  asksHiddenRows,
  asksTotals,
  columnsToExplain,
  type FileSummary,
  missingFields,
  openQuestions,
  type Reading,
  sparseFields,
} from '#files/file-summary'
import type { ReadFile } from '#files/open-file'
import { ENCODINGS } from '#files/text/encodings'
import { fieldNamed, type RecordType } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import type { Answer, Renaming } from './answers'
import { type CliError, usageError } from './exits'

/** A question that a user must answer about a file. */
export interface Question {
  /** The question. It contains nothing of the records, because it is reported to the service. */
  text: string
  /** Details from the file. */
  details: string
  /** Empty if only a corrected file helps. */
  choices: readonly Choice[]
  /** Parses an answer that is not one of the choices. @throws CliError for an invalid answer */
  readText?: (text: string) => Answer
}

interface Choice {
  name: string
  answer: Answer
}

const choice = (name: string, reading: Reading): Choice => ({ name, answer: { reading } })

/** A problem that only a corrected file solves. */
const correction = (text: string, details = ''): Question => ({ text, details, choices: [] })

export const sheetQuestion = (names: readonly string[]): Question => ({
  text: 'The workbook has several sheets. Which one holds the records?',
  details: '',
  choices: names.map((sheet) => choice(sheet, { sheet })),
})

/** `field`, `!field` for a column with the opposite meaning, `field unit` for numbers without their unit. */
const TARGET = /^(!?)([a-z0-9_]*)(?: +(\S.*))?$/

/** The error for a field that does not exist in this type. */
export const noSuchField = (name: string, { fields }: RecordType): CliError =>
  usageError(`There is no field “${name}”. The fields are ${fields.map((field) => field.name).join(', ')}.`)

/** @throws CliError 2 for a field that does not exist in this type */
function targetOf(text: string, type: RecordType): Target {
  const [, not, field = '', unit] = TARGET.exec(text) ?? []
  if (fieldNamed(type, field) === undefined) throw noSuchField(text, type)
  return { field, ...(not === '!' && { reversed: true }), ...(unit !== undefined && { unit }) }
}

/** What a user would type for the column's probable field. */
const targetText = ({ field, reversed, unit }: FileColumn): string =>
  `${reversed ? '!' : ''}${field?.name ?? ''}${unit === undefined ? '' : ` ${unit}`}`

/** A column without a user's decision whose header does not say what it is. */
const isOpen = (column: FileColumn): boolean => column.by !== 'person' && isDoubtful(column)

function columnsQuestion(file: FileSummary, type: RecordType): Question | undefined {
  const { csv } = file
  if (!csv.hasHeader)
    return correction('The file has no header row. Add one with the names of the columns above the records.')
  const column = asksColumns(file) ? csv.fileColumns.find(isOpen) : undefined
  if (column === undefined) return undefined
  const { header, examples, position } = column
  const to = (target: Target): Reading => ({ mapping: new Map([[position, target]]) })
  const probable = targetText(column)
  return {
    text: 'A column is ambiguous. Which field is it? (“!field” if it says the opposite, “field unit” to add a unit)',
    details: `“${header}”, with ${examples.map((value) => `“${value}”`).join(', ') || 'no values'}`,
    choices: [
      ...(probable === '' ? [] : [choice(probable, to(targetOf(probable, type)))]),
      choice('ignore', to({ field: null })),
    ],
    readText: (text) => ({ reading: to(targetOf(text, type)) }),
  }
}

/** Asks where the values of a required field come from, if it has no column, or most rows have no value. */
function fillsQuestion(file: FileSummary, { idField }: RecordType): Question | undefined {
  const field = [...missingFields(file), ...sparseFields(file)][0]
  if (field === undefined || !asksColumns(file)) return undefined
  const from = (fill: Fill): Reading => ({ fills: new Map([[field, fill]]) })
  const columns = file.csv.fileColumns.filter(({ filled }) => filled > 0)
  return {
    text: `Every record needs ${field}, but most rows have none. Where does it come from?`,
    details: '',
    choices: [
      ...(field === idField ? [choice('made of the other values', from({ is: 'texts' }))] : []),
      ...columns.map(({ header, position }) => choice(`the column ${header}`, from({ is: 'column', position }))),
      choice('nowhere: these rows are errors', from({ is: 'nothing' })),
    ],
    ...(field !== idField && { readText: (text) => ({ reading: from({ is: 'value', text }) }) }),
  }
}

/** Asks what a value of a column means. */
function meaningQuestion(file: FileSummary): Question | undefined {
  const [column] = columnsToExplain(file)
  const unknown = column?.states?.find(({ value }) => !Object.hasOwn(column.meanings ?? {}, valueKey(value)))
  if (column?.field === undefined || unknown === undefined) return undefined
  const { header, position, field, meanings } = column
  const { value, count } = unknown
  const means = (text: string | null): Reading => ({
    meanings: new Map([[position, { ...meanings, [valueKey(value)]: text }]]),
  })
  const texts = field.kind === 'enum' ? field.values : ['yes', 'no']
  return {
    text:
      field.name === 'is_active'
        ? `Does a value of “${header}” mean that a record is active?`
        : `What does a value of “${header}” mean for ${field.name}?`,
    details: `“${value}”, in ${countText(count, 'row')}`,
    choices: [
      ...texts.map((text) => choice(text, means(text))),
      choice('exclude these rows', means(null)),
      choice('ignore the column', { mapping: new Map([[position, { field: null }]]) }),
    ],
  }
}

/** The text of a question about cells, and the answers. */
interface CellDoubt {
  text: string
  choices: readonly (readonly [name: string, choice: CellChoice])[]
}

const CELL_DOUBTS: Partial<Record<Doubt, CellDoubt>> = {
  placeholder: {
    text: 'Some cells probably mean “no value”. What is written?',
    choices: [
      ['empty', 'empty'],
      ['keep', 'shown'],
    ],
  },
  joined: {
    text: 'Some items of lists look like several. Are they split?',
    choices: [
      ['split', 'stored'],
      ['keep', 'shown'],
    ],
  },
  broken: {
    text: 'Some characters look wrong. Are they repaired?',
    choices: [
      ['repair', 'stored'],
      ['keep', 'shown'],
    ],
  },
  blank: {
    text: 'Some rows do not say whether they are active. Are they?',
    choices: [
      ['yes', 'yes'],
      ['no', 'no'],
    ],
  },
}

const cellText = ({ field, count, examples: [first] }: CellQuestion): string => {
  const stored = first?.stored ? `, perhaps “${first.stored}”` : ''
  return `${field}: ${countText(count, 'cell')}, such as “${first?.shown}” in row ${first?.row}${stored}`
}

function cellsQuestion(file: FileSummary): Question | undefined {
  const open = openQuestions(file)
  const [first] = open
  if (first === undefined) return undefined
  const { key, doubt } = first
  // Questions with the same key are one question, for all fields.
  const same = open.filter((one) => one.key === key)
  const isStored = doubt !== 'lostDigits' && same.some(({ examples }) => examples.some(({ stored }) => stored !== ''))
  const ambiguous: CellDoubt = {
    text: 'Some cells are ambiguous. What is written?',
    choices: [['as shown', 'shown'], ...(isStored ? [['as stored', 'stored'] as const] : []), ['empty', 'empty']],
  }
  const { text, choices } = CELL_DOUBTS[doubt] ?? ambiguous
  return {
    text,
    details: same.map(cellText).join('\n'),
    choices: choices.map(([name, cell]) => choice(name, { choices: new Map([[key, cell]]) })),
  }
}

function rowsQuestion(file: FileSummary): Question | undefined {
  const { csv, hiddenRows } = file
  if (asksTotals(file)) {
    return {
      text: 'Some rows are probably not records. What is done with them?',
      details: csv.totals.map(({ row, cells }) => `row ${row} (${cells.join(' ')})`).join('\n'),
      choices: [choice('exclude', { totals: 'leave out' }), choice('keep', { totals: 'keep' })],
    }
  }
  if (!asksHiddenRows(file)) return undefined
  return {
    text: 'The spreadsheet hides some rows. What is done with them?',
    details: countText(hiddenRows, 'row'),
    choices: [choice('exclude', { hiddenRows: 'leave out' }), choice('read', { hiddenRows: 'read' })],
  }
}

/**
 * The first open question about a file; undefined if there is none.
 *
 * @param canAsk whether a user can say where a missing field comes from. If not, a missing field is an error
 */
export function openQuestion({ file, table }: ReadFile, type: RecordType, canAsk: boolean): Question | undefined {
  // First, because nothing else about a file matters if it belongs to a different catalog.
  const better = file.answers.isOfType ? undefined : fitOf(table, type).better
  if (better !== undefined) {
    return {
      text: `The file looks like one of the catalog ${better.type}, not ${type.name}. Is it one of ${type.name}?`,
      details: '',
      choices: [choice('yes', { isOfType: true })],
    }
  }
  if (asksEncoding(file)) {
    return {
      text: 'The file is not UTF-8. Save it as “CSV UTF-8”, or name its encoding.',
      details: '',
      choices: ENCODINGS.map((encoding) => choice(encoding, { encoding })),
    }
  }
  if (asksHeader(file)) {
    const rows = file.csv.rowsAbove.map(({ row }) => row).join(', ')
    return correction(
      `A row above the header row looks like a record (row ${rows}). Put the header row above all records.`,
    )
  }
  return (
    columnsQuestion(file, type) ??
    (canAsk ? fillsQuestion(file, type) : undefined) ??
    meaningQuestion(file) ??
    rowsQuestion(file) ??
    cellsQuestion(file)
  )
}

type Warnings = Pick<WriteResult, 'warnings'>

/**
 * The open question after a dry run: whether existing IDs with an unexpected name are the same records.
 *
 * @param headerRow position of the header row, from which rows are counted
 */
export function namesQuestion(
  { warnings }: Warnings,
  headerRow: number,
  known: readonly Renaming[],
): Question | undefined {
  const warning = warnings.find(({ code }) => code === 'renamed')
  const { count = 0, examples = [] } = warning ?? {}
  const renamed = examples
    .map(({ index, value, was }) => ({ row: index + headerRow, was: String(was), is: String(value) }))
    .filter(({ was, is }) => !known.some((one) => one.was === was && one.is === is))
  const unseen = count - examples.length
  if (renamed.length + unseen === 0) return undefined
  const renamings: Renaming[] = renamed.map(({ was, is }) => ({ was, is }))
  return {
    text:
      `${countText(renamed.length + unseen, 'existing ID')} would get an unexpected new name. Are these the same ` +
      'records? If not, give them IDs of their own in the file. Nothing was written.',
    details: renamed.map(({ row, was, is }) => `row ${row}: “${was}” becomes “${is}”`).join('\n'),
    choices: unseen > 0 ? [] : [{ name: 'yes', answer: { renamed: renamings } }],
  }
}

/** The message about a dry run that would make inactive records active; undefined if there are none. */
export function inactiveQuestion({ warnings }: Warnings, headerRow: number): string | undefined {
  const warning = warnings.find(({ code }) => code === 'reactivated')
  if (warning === undefined) return undefined
  const { count = 0, examples = [] } = warning
  return (
    `${countText(count, 'inactive record')} would become active, although the file does not say so. To keep them ` +
    'inactive, add --inactive keep. To make them active, add --inactive activate. Nothing was written.' +
    `\n${examples.map(({ index, value }) => `row ${index + headerRow}: ${String(value)}`).join('\n')}`
  )
}
