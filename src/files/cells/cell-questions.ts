import type { CsvFile } from '#files/text/csv-file'
import type { OddColumn } from '#files/workbook/workbook-sheet'
import type { StoredDoubt } from './stored-doubts'
import type { TextDoubt } from './text-doubts'

/** Why a cell needs the user's input. */
export type Doubt = StoredDoubt | TextDoubt

/**
 * The value to write for ambiguous cells. `shown`: the value they show. `stored`: the value they store or probably
 * mean. `empty`: nothing. For `is_active` also `keep` (the catalog's value), `yes` and `no`. A map contains texts that
 * the user typed, by `typedKey`.
 */
export type CellChoice = 'shown' | 'stored' | 'empty' | 'keep' | 'yes' | 'no' | ReadonlyMap<string, string>

/** The user's choices for a file, by the key of the question. */
export type CellChoices = ReadonlyMap<string, CellChoice>

/** A cell that needs the user's input. */
export interface DoubtfulCell {
  /** Position of its row below the header row, from 1. */
  index: number
  /** Row number, as spreadsheet programs show it. */
  row: number
  shown: string
  /** The value that it stores or probably means; empty if unknown. */
  stored: string
  /** The name of the record, for cells that are displayed. */
  name?: string
  /** For a cell that is part of a merged cell: the position of the row with the value. */
  from?: number
}

/** Ambiguous cells that get the same text. */
export interface SameCells {
  key: string
  first: DoubtfulCell
  count: number
}

/** A question about the cells of one column that are ambiguous for one reason. */
export interface CellQuestion {
  key: string
  position: number
  /** Name of the column's field. */
  field: string
  doubt: Doubt
  /** The separator of the list items in these cells. */
  separator?: string
  /** The number of cells. `examples` are the first of them. */
  count: number
  examples: readonly DoubtfulCell[]
  /** The texts that a user can retype; undefined if there are too many. */
  texts: readonly SameCells[] | undefined
}

/** A question with all of its cells, which stay in the worker. */
interface CellDoubts extends CellQuestion {
  cells: readonly DoubtfulCell[]
}

const EXAMPLES = 5

/** Most texts that a user can retype. Beyond that, it is faster to correct the spreadsheet. */
const MOST_TEXTS = 200

/** The key of cells with the same content, which get the same text. Each formula without a value has its own key. */
const typedKey = ({ row, stored, shown }: DoubtfulCell): string => stored || shown || `row ${row}`

/** Whether the user has chosen a value for every cell. */
export function isAnswered({ key, doubt, texts = [] }: CellQuestion, choices: CellChoices): boolean {
  const choice = choices.get(key)
  // Lost digits are not stored anywhere.
  if (choice === undefined || (choice === 'stored' && doubt === 'lostDigits')) return false
  return typeof choice === 'string' || texts.every((text) => choice.has(text.key))
}

/**
 * Kinds of ambiguity with one question for all columns, because placeholders and broken letters mean the same in all.
 */
const OF_FILE: readonly Doubt[] = ['placeholder', 'broken']

type QuestionAbout = Pick<CellQuestion, 'position' | 'field' | 'doubt' | 'separator'>

function keyOf({ position, doubt, separator }: QuestionAbout): string {
  if (OF_FILE.includes(doubt)) return doubt
  return separator === undefined ? `${position} ${doubt}` : `${position} ${doubt} ${separator}`
}

function questionOf(about: QuestionAbout, cells: readonly DoubtfulCell[]): CellDoubts {
  const same = Map.groupBy(cells, typedKey)
  const texts = [...same].flatMap(([key, [first, ...others]]) =>
    first === undefined ? [] : [{ key, first, count: others.length + 1 }],
  )
  return {
    ...about,
    key: keyOf(about),
    count: cells.length,
    examples: cells.slice(0, EXAMPLES),
    texts: texts.length > MOST_TEXTS ? undefined : texts,
    cells,
  }
}

/**
 * The questions about cells: for each column with a field, one per reason. Questions with the same key are one
 * question. A workbook cell whose stored value differs from its shown value is excluded from questions about its text.
 *
 * @param oddColumns workbook cells whose stored value differs from their shown value
 */
export function cellQuestions(csv: CsvFile, oddColumns: readonly OddColumn[] = []): CellDoubts[] {
  return csv.columns.flatMap(({ position, field }) => {
    const ofSheet = (oddColumns.find((column) => column.position === position)?.cells ?? [])
      .filter(({ row }) => row >= csv.headerRow)
      .map(({ row, from, ...cell }) => {
        const index = row + 1 - csv.headerRow
        const place = { index, row: row + 1 }
        return { ...cell, ...place, ...(from !== undefined && { from: from + 1 - csv.headerRow }) }
      })
    const sheetIndexes = new Set(ofSheet.map(({ index }) => index))
    const ofText = (csv.doubts.get(position) ?? [])
      .filter(({ index }) => !sheetIndexes.has(index))
      .map(({ index, probableText, ...cell }) => ({
        ...cell,
        index,
        row: index + csv.headerRow,
        stored: probableText,
      }))
    const cells: readonly (DoubtfulCell & Pick<CellQuestion, 'doubt' | 'separator'>)[] = [...ofSheet, ...ofText]
    return [...Map.groupBy(cells, ({ doubt, separator = '' }) => `${doubt} ${separator}`).values()].map((same) => {
      const [{ doubt, separator }] = same as [(typeof same)[number]]
      const about = { position, field: field.name, doubt, ...(separator !== undefined && { separator }) }
      const bare = same.map(({ doubt: _, separator: __, ...cell }) => cell)
      return questionOf(about, bare)
    })
  })
}

/** Adds the names of the records to the displayed cells of questions. @param namesAt returns names by row positions */
export const withNames = (
  questions: readonly CellQuestion[],
  namesAt: (indexes: ReadonlySet<number>) => ReadonlyMap<number, string>,
): CellQuestion[] => {
  const shown = questions.flatMap(({ examples, texts = [] }) => [...examples, ...texts.map(({ first }) => first)])
  const names = namesAt(new Set(shown.map(({ index }) => index)))
  const named = (cell: DoubtfulCell): DoubtfulCell => ({ ...cell, name: names.get(cell.index) ?? '' })
  return questions.map((question) => ({
    ...question,
    examples: question.examples.map(named),
    texts: question.texts?.map((text) => ({ ...text, first: named(text.first) })),
  }))
}

/** The text to write for a cell; undefined if the shown text is kept. */
function chosenText(
  cell: DoubtfulCell,
  choice: CellChoice,
  isReversed: boolean,
  writtenAt: (index: number) => string | undefined,
): string | undefined {
  if (choice === 'shown' || choice === 'keep') return undefined
  if (choice === 'empty') return ''
  // A column with the opposite meaning is reversed afterwards.
  if (choice === 'yes' || choice === 'no') return (choice === 'yes') === isReversed ? 'no' : 'yes'
  if (choice !== 'stored') return choice.get(typedKey(cell))
  return (cell.from === undefined ? undefined : writtenAt(cell.from)) ?? (cell.stored || undefined)
}

/** Texts that replace cells of the file, by row and column. */
export type WrittenCells = ReadonlyMap<number, ReadonlyMap<number, string>>

/** The texts that the user has chosen to replace shown texts. */
export function writtenCells(
  questions: readonly CellDoubts[],
  choices: CellChoices,
  { fileColumns }: CsvFile,
): WrittenCells {
  const textsByRow = new Map<number, Map<number, string>>()
  const isMerged = ({ doubt }: CellDoubts) => doubt === 'merged'
  // Merged cells come last, because they get the text of the cell with the value.
  for (const { key, position, cells } of [
    ...questions.filter((question) => !isMerged(question)),
    ...questions.filter(isMerged),
  ]) {
    const isReversed = fileColumns[position]?.reversed === true
    for (const cell of cells) {
      const text = chosenText(cell, choices.get(key) ?? 'shown', isReversed, (index) =>
        textsByRow.get(index)?.get(position),
      )
      if (text === undefined) continue
      const row = textsByRow.get(cell.index) ?? new Map<number, string>()
      textsByRow.set(cell.index, row.set(position, text))
    }
  }
  return textsByRow
}
