import { readFile, rm } from 'node:fs/promises'
import { checkTable } from '#files/check/check-table'
import { type RowError, rowErrors } from '#files/check/row-errors'
import { fileWithErrors } from '#files/fix/errors-file'
import { openFile, readOpenedFile } from '#files/open-file'
import { ERRORS_COLUMN, type RecordType } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import { CliError, EXIT, isSystemError } from './exits'
import type { Output } from './output'
import type { TableFile } from './read-table'
import { writeWhole } from './write-whole'

interface ErrorsOptions {
  /** The file that is written with a column of its errors. */
  errors?: string
}

/** Whether a file is one with a column of errors; undefined if there is none. */
async function hasErrorsColumn(file: string, type: RecordType): Promise<boolean | undefined> {
  const content = await readFile(file).catch((error: unknown) => {
    if (!isSystemError(error) || error.code !== 'ENOENT') throw error
  })
  if (content === undefined) return undefined
  try {
    const opened = await openFile(new File([content], file))
    const sheet = 'sheets' in opened ? opened.sheets[0]?.name : undefined
    return readOpenedFile(opened, type, { sheet }).file.csv.header.includes(ERRORS_COLUMN)
  } catch {
    // What cannot be read as a table is something else.
    return false
  }
}

/** Removes the errors of an earlier run. A fault is told, and changes nothing else. */
export async function removeErrors({ errors }: ErrorsOptions, type: RecordType, output: Output): Promise<void> {
  if (errors === undefined) return
  try {
    const isOurs = await hasErrorsColumn(errors, type)
    if (isOurs) await rm(errors)
    else if (isOurs === false) output.say(`${errors} was not deleted: it has no error column.`)
  } catch (error) {
    if (!isSystemError(error)) throw error
    output.say(`Cannot delete ${errors}: ${error.message}`)
  }
}

/** An error as it is printed: place, field, reason, value. */
const errorLine = ({ row, field, message, value }: RowError): string => {
  const place = row === null ? 'file' : `row ${row}`
  const shown = value === null || value === undefined ? '' : `  ${JSON.stringify(value)}`
  return `${place}  ${field ?? ''}  ${message}${shown}`
}

/** Writes a file with a column of its errors. @returns what the command says about that */
async function writeErrorsFile(
  errorsFile: string,
  { name, table, sheet = 'Sheet1' }: TableFile,
  errors: readonly RowError[],
  type: RecordType,
): Promise<string> {
  const isWorkbook = errorsFile.toLowerCase().endsWith('.xlsx')
  const file = { name, table, sheet: isWorkbook ? sheet : undefined, errors, onlyFailing: false }
  const { content } = await fileWithErrors(file)
  try {
    if ((await hasErrorsColumn(errorsFile, type)) === false)
      return ` ${errorsFile} was not replaced: it has no error column.`
    await writeWhole(errorsFile, new Uint8Array(await content.arrayBuffer()))
    return ` ${errorsFile} is a copy with an error column.`
  } catch (error) {
    // The errors are printed all the same.
    if (!isSystemError(error)) throw error
    return ` Cannot write the copy with an error column: ${error.message}`
  }
}

/**
 * Checks all rows by the rules of the service. With `errors`, writes the file with a column of its errors there.
 *
 * @throws CliError 3 when it has errors; each of them is in the message
 */
export async function requireValid(
  file: TableFile,
  type: RecordType,
  { errors: errorsFile }: ErrorsOptions,
): Promise<void> {
  const { name, table } = file
  const errors = rowErrors(checkTable(table, type, false), table.csv)
  if (errors.length === 0) return
  const rows = new Set(errors.map(({ row }) => row)).size
  const where = errorsFile === undefined ? '' : await writeErrorsFile(errorsFile, file, errors, type)
  throw new CliError(
    EXIT.invalid,
    `${name} has ${countText(errors.length, 'error')} in ${countText(rows, 'row')}. Nothing was written.` +
      `${where}\n${errors.map(errorLine).join('\n')}`,
    {
      file: name,
      errors: errors.map(({ row, field, code, message, value }) => ({ row, field, code, message, value })),
    },
  )
}
