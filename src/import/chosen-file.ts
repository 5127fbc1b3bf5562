import type { CellChoices, CellQuestion } from '#import/cells/cell-choices'
import type { BetterCatalog } from '#import/columns/catalog-fit'
import type { CsvFile } from '#import/text/csv-file'

/** A file that was read: what there is to show of it. Its rows stay with the worker. */
export interface ChosenFile {
  name: string
  csv: Omit<CsvFile, 'text'>
  /** The sheet of a workbook that is meant. */
  sheet?: { name: string; hiddenRows: number }
  /** Columns of the sheet for which a person chooses what is written. */
  questions: readonly CellQuestion[]
  choices: CellChoices
  /** The catalog that it fits better, until the person says that the chosen one is meant. */
  better?: BetterCatalog
}

export const openQuestions = ({ questions, choices }: ChosenFile): CellQuestion[] =>
  questions.filter(({ position }) => !choices.has(position))

/** Whether a file can be sent: the person has answered every question about it. */
export const isDecided = (file: ChosenFile): boolean =>
  openQuestions(file).length === 0 && file.better === undefined
