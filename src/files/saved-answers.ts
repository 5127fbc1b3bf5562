import type { CellChoice, CellQuestion } from '#files/cells/cell-questions'
import { valueKey } from '#files/columns/column-values'
import { type FileColumn, isEmptyColumn, isSparse, type Target } from '#files/columns/file-column'
import type { Fill } from '#files/columns/fills'
import type { Meanings } from '#files/columns/meanings'
import { asksColumns, type FileSummary, type Reading, type SavedAnswers, type SavedFill } from '#files/file-summary'
import { normalizedHeader } from '#shared/records/csv/header'
import type { CsvFile } from './text/csv-file'

/** A text that the user gave to all rows with the selected errors of a field. */
export interface ValueFix {
  field: string
  /** The previous values of these rows. */
  values: ReadonlySet<string>
  text: string
}

/** The columns that identify files of the same kind. */
const namedColumns = ({ fileColumns }: Pick<CsvFile, 'fileColumns'>): FileColumn[] =>
  fileColumns.filter(({ header, isIgnored }) => header !== '' && !isIgnored)

/**
 * The answers about the newest file with the same columns; undefined if there is none. Columns may have been added if
 * their headers are field names. A column's header may have become its field name, as in a file exported with its
 * errors.
 */
export function answersFor(
  memory: readonly SavedAnswers[],
  csv: Pick<CsvFile, 'fileColumns'>,
): SavedAnswers | undefined {
  const byName = new Map(namedColumns(csv).map((column) => [normalizedHeader(column.header), column]))
  return memory.findLast(({ headers, targets }) => {
    const found = headers.map((header) => byName.get(header) ?? byName.get(targets[header]?.field ?? ''))
    const added = [...byName.values()].filter((column) => !found.includes(column))
    return !found.includes(undefined) && added.every((column) => column.by === 'header' || isEmptyColumn(column))
  })
}

/** The key of a question, with the column's header instead of its position. */
function savedKey({ key, position }: CellQuestion, headers: readonly string[]): string {
  const own = `${position} `
  return key.startsWith(own) ? `${headers[position]} ${key.slice(own.length)}` : key
}

/** The meanings of a column's values after the user has replaced them; none for a column with another conversion. */
function fixedMeanings({ field, reversed, unit, digits }: FileColumn, fixes: readonly ValueFix[]): Meanings {
  if (field === undefined || reversed || unit !== undefined || digits !== undefined) return {}
  const ofField = fixes.filter((fix) => fix.field === field.name)
  return Object.fromEntries(
    ofField.flatMap(({ values, text }) =>
      [...values].flatMap((value) => (value === '' ? [] : [[valueKey(value), text]])),
    ),
  )
}

/**
 * The targets of columns whose header alone does not determine them, by header. Only includes what the user has seen.
 */
function targetsOf(file: FileSummary, fixes: readonly ValueFix[]): [string, Target][] {
  const areSeen = !asksColumns(file)
  return file.csv.fileColumns.flatMap((column): [string, Target][] => {
    const { header, field, by, reversed, unit, unitOf, isIgnored, misfit } = column
    if (header === '' || isIgnored) return []
    const name = normalizedHeader(header)
    if (!areSeen && by !== 'person' && by !== 'memory') return []
    // If the user has not decided again, the previous target is kept.
    if (misfit !== undefined && by !== 'person') return [[name, misfit.target]]
    const meanings = { ...column.meanings, ...fixedMeanings(column, fixes) }
    const isExplained = Object.keys(meanings).length > 0
    if ((by === 'header' && !isExplained) || isEmptyColumn(column)) return []
    const more = { unit, unitOf, ...(isExplained && { meanings }) }
    return [[name, { field: field?.name ?? null, ...(reversed && { reversed }), ...more }]]
  })
}

/** The answers about a file, to be stored. @param fixes values that the user has replaced in all rows */
export function savedAnswers(file: FileSummary, fixes: readonly ValueFix[] = []): SavedAnswers {
  const { csv, sheet, questions, answers } = file
  const headers = csv.fileColumns.map(({ header }) => normalizedHeader(header))
  const filled = fixes.flatMap(({ field, values, text }): [string, SavedFill][] =>
    values.has('') && text !== '' ? [[field, { is: 'value', text }]] : [],
  )
  const fills = [...answers.fills].map(([field, fill]): [string, SavedFill] => [
    field,
    fill.is === 'column' ? { is: fill.is, header: headers[fill.position] ?? '' } : fill,
  ])
  const choices = questions.flatMap((question) => {
    const choice = answers.choices.get(question.key)
    if (choice === undefined) return []
    return [[savedKey(question, headers), typeof choice === 'string' ? choice : Object.fromEntries(choice)] as const]
  })
  const { totals, hiddenRows, encoding, isHeaderRight, isOfType, idDigits } = answers
  return {
    headers: namedColumns(csv).map(({ header }) => normalizedHeader(header)),
    targets: Object.fromEntries(targetsOf(file, fixes)),
    fills: Object.fromEntries([...fills, ...filled]),
    choices: Object.fromEntries(choices),
    sheet,
    more: {
      totals,
      hiddenRows,
      encoding,
      isHeaderRight: isHeaderRight || undefined,
      isOfType,
      idDigits,
      hasRightColumns: !asksColumns(file),
    },
  }
}

/** Whether all columns are decided, by their header or by an answer. */
const areAsBefore = ({ fileColumns }: Pick<CsvFile, 'fileColumns'>): boolean =>
  fileColumns.every(
    (column) =>
      column.isIgnored ||
      isEmptyColumn(column) ||
      (column.misfit === undefined && (column.by === 'header' || column.by === 'memory' || column.by === 'person')),
  )

/** The earlier choices for questions about cells, by their current keys. */
export function earlierChoices(
  saved: SavedAnswers,
  questions: readonly CellQuestion[],
  { fileColumns }: Pick<CsvFile, 'fileColumns'>,
): Map<string, CellChoice> {
  const headers = fileColumns.map(({ header }) => normalizedHeader(header))
  return new Map(
    questions.flatMap((question): [string, CellChoice][] => {
      const key = savedKey(question, headers)
      const choice = Object.hasOwn(saved.choices, key) ? saved.choices[key] : undefined
      if (choice === undefined) return []
      return [[question.key, typeof choice === 'string' ? choice : new Map(Object.entries(choice))]]
    }),
  )
}

/** The other answers about an earlier file, applied to a file with the same columns. */
export function earlierReading(saved: SavedAnswers, csv: CsvFile): Reading {
  const complete = csv.fileColumns.filter((column) => !isSparse(column, csv.rows)).map(({ field }) => field?.name)
  const fills = Object.entries(saved.fills).flatMap(([field, fill]): [string, Fill][] => {
    if (complete.includes(field)) return []
    if (fill.is !== 'column') return [[field, fill]]
    const position = csv.fileColumns.findIndex(({ header }) => normalizedHeader(header) === fill.header)
    return position === -1 ? [] : [[field, { is: 'column', position }]]
  })
  const hasRightColumns = saved.more.hasRightColumns === true && areAsBefore(csv)
  return { ...saved.more, fills: new Map(fills), hasRightColumns: hasRightColumns || undefined }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isTarget = (value: unknown): boolean =>
  isObject(value) && (value.field === null || typeof value.field === 'string')

/** Whether a value has the shape of `SavedAnswers`, as far as reading a file depends on it. */
export const isSavedAnswers = (value: unknown): value is SavedAnswers =>
  isObject(value) &&
  Array.isArray(value.headers) &&
  value.headers.every((header) => typeof header === 'string') &&
  isObject(value.targets) &&
  Object.values(value.targets).every(isTarget) &&
  [value.fills, value.choices, value.more].every(isObject)

/** The sheet with the same name as an earlier sheet; undefined if there is none. */
export const earlierSheet = <Sheet extends { name: string }>(
  memory: readonly SavedAnswers[] = [],
  sheets: readonly Sheet[],
): Sheet | undefined => {
  const names = sheets.map(({ name }) => name)
  const last = memory.findLast(({ sheet }) => sheet !== undefined && names.includes(sheet))?.sheet
  return sheets.find(({ name }) => name === last)
}

/** Whether the current sheet has the columns and the name of an earlier sheet. */
export const isEarlierSheet = (memory: readonly SavedAnswers[] = [], { sheet, isAsBefore }: FileSummary): boolean =>
  isAsBefore && memory.some((saved) => saved.sheet === sheet)
