import type { CsvFile } from '#files/text/csv-file'
import type { OddColumn } from '#files/workbook/workbook-sheet'
import type { StoredDoubt } from './stored-doubts'
import type { TextDoubt } from './text-doubts'

/** Why a person is asked about a cell. */
export type Doubt = StoredDoubt | TextDoubt

/**
 * What is written for doubtful cells. `shown`: what they show. `stored`: what they store or probably mean. `empty`:
 * nothing. For cells that say whether a record is in use also `keep` (as the catalog has it), `yes` and `no`. A map has
 * texts that the person has typed, by `typedKey`.
 */
export type CellChoice = 'shown' | 'stored' | 'empty' | 'keep' | 'yes' | 'no' | ReadonlyMap<string, string>

/** The choices for a file, by the key of the question. */
export type CellChoices = ReadonlyMap<string, CellChoice>

/** A cell about which a person is asked. */
export interface DoubtfulCell {
  /** Place of its row below the header row, from 1. */
  index: number
  /** Number of the row, as a spreadsheet program shows it. */
  row: number
  shown: string
  /** What it stores or probably means; empty if nothing says it. */
  stored: string
  /** The name of the record, for cells that are shown. */
  name?: string
  /** For a cell that is part of a merged one: the place of the row that has its value. */
  from?: number
}

/** Doubtful cells that get the same text. */
export interface SameCells {
  key: string
  first: DoubtfulCell
  count: number
}

/** A question about the cells of one column that are doubtful for one reason. */
export interface CellQuestion {
  key: string
  position: number
  /** Name of the field that the column becomes. */
  field: string
  doubt: Doubt
  /** What separates the items of a list in these cells. */
  separator?: string
  /** How many cells there are, and the first of them. */
  count: number
  examples: readonly DoubtfulCell[]
  /** The texts that a person may type again; undefined if there are too many. */
  texts: readonly SameCells[] | undefined
}

/** A question with all of its cells, which stay where the file is read. */
interface CellDoubts extends CellQuestion {
  cells: readonly DoubtfulCell[]
}

const EXAMPLES = 5

/** The most texts that a person may type. More are corrected faster in the spreadsheet. */
const MOST_TEXTS = 200

/** The key of cells that get the same text, because they hold the same. An empty formula has a key of its own. */
const typedKey = ({ row, stored, shown }: DoubtfulCell): string => stored || shown || `row ${row}`

/** Whether the person has chosen what is written for every cell. */
export function isAnswered({ key, doubt, texts = [] }: CellQuestion, choices: CellChoices): boolean {
  const choice = choices.get(key)
  // Nothing is stored of digits that are lost.
  if (choice === undefined || (choice === 'stored' && doubt === 'lostDigits')) return false
  return typeof choice === 'string' || texts.every((text) => choice.has(text.key))
}

/** Doubts that are one question for all columns: what stands for nothing, and broken letters, are the same in all. */
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
 * The questions about cells: for each column that becomes a field, one for each reason why cells are doubtful. Those
 * with the same key are one question. A cell of a workbook that stores something else than it shows is in no question
 * about its text.
 *
 * @param oddColumns cells of a workbook that store something else than they show
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

/** Questions with the names of the records whose cells are shown. @param namesAt by the places of rows */
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

/** What is written for a cell; undefined if it stays as it is shown. */
function chosenText(
  cell: DoubtfulCell,
  choice: CellChoice,
  isReversed: boolean,
  writtenAt: (index: number) => string | undefined,
): string | undefined {
  if (choice === 'shown' || choice === 'keep') return undefined
  if (choice === 'empty') return ''
  // A column that says the opposite is reversed afterwards.
  if (choice === 'yes' || choice === 'no') return (choice === 'yes') === isReversed ? 'no' : 'yes'
  if (choice !== 'stored') return choice.get(typedKey(cell))
  return (cell.from === undefined ? undefined : writtenAt(cell.from)) ?? (cell.stored || undefined)
}

/** Texts that are written in place of those of the file, by row and column. */
export type WrittenCells = ReadonlyMap<number, ReadonlyMap<number, string>>

/** The texts that the person has chosen in place of those that the file shows. */
export function writtenCells(
  questions: readonly CellDoubts[],
  choices: CellChoices,
  { fileColumns }: CsvFile,
): WrittenCells {
  const textsByRow = new Map<number, Map<number, string>>()
  const isMerged = ({ doubt }: CellDoubts) => doubt === 'merged'
  // Merged cells last: they get what is written for the cell that they are part of.
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
