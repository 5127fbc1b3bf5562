import type { FileColumn } from '#files/columns/columns'
import { columnLetters } from '#files/text/csv-file'

/** How a column is called: by its header or, without one, as the spreadsheet calls it. */
export const columnName = ({ header, position }: Pick<FileColumn, 'header' | 'position'>): string =>
  header === '' ? `Column ${columnLetters(position)}` : header
