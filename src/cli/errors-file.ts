import { readFile, rm } from 'node:fs/promises'
import { checkTable } from '#files/check/check-table'
import { type RowError, rowErrors } from '#files/check/row-errors'
import { fileWithErrors } from '#files/fix/errors-file'
import { openFile, readOpenedFile } from '#files/open-file'
import { ERRORS_COLUMN, type RecordType } from '#shared/records/record-type'
import { countText, type Warning } from '#shared/records/warnings'
import { CliError, EXIT, isSystemError } from './exits'
import type { Output } from './output'
import type { TableFile } from './read-table'
import { writeWhole } from './write-whole'

interface ErrorsOptions {
  /** Writes a copy of the file with a column of errors. */
  errors?: string
}

/** Whether a file has a column of errors; undefined if the file is missing. */
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
    // A file that cannot be read as a table is not an errors file.
    return false
  }
}

/** Removes the errors file of an earlier run. A failure is reported and has no other effect. */
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

/** An error as it is printed: row, field, reason, value. */
const errorLine = ({ row, field, message, value }: RowError): string => {
  const place = row === null ? 'file' : `row ${row}`
  const shown = value === null || value === undefined ? '' : `  ${JSON.stringify(value)}`
  return `${place}  ${field ?? ''}  ${message}${shown}`
}

/** Writes the file with a column of its errors. @returns a sentence for the command's output */
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
    // The errors are printed anyway.
    if (!isSystemError(error)) throw error
    return ` Cannot write the copy with an error column: ${error.message}`
  }
}

/**
 * Checks all rows by the service's rules. With `errors`, also writes the file with a column of its errors.
 *
 * @returns the warnings
 * @throws CliError 3 if it has errors, which are all in the message
 */
export async function requireValid(
  file: TableFile,
  type: RecordType,
  { errors: errorsFile }: ErrorsOptions,
): Promise<Warning[]> {
  const { name, table } = file
  const checked = checkTable(table, type, false)
  const errors = rowErrors(checked.errors, table.csv)
  if (errors.length === 0) return checked.warnings
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
