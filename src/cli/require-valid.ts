import { checkTable } from '#files/check/check-table'
import { type RowError, rowErrors } from '#files/check/row-errors'
import { fileWithErrors } from '#files/fix/errors-file'
import type { RecordType } from '#shared/records/record-type'
import { countText } from '#shared/records/warnings'
import { CliError, EXIT, isSystemError } from './exits'
import { writeWhole } from './files'
import type { TableFile } from './read-table'

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
): Promise<string> {
  const isWorkbook = errorsFile.toLowerCase().endsWith('.xlsx')
  const file = { name, table, sheet: isWorkbook ? sheet : undefined, errors, onlyFailing: false }
  const { content } = await fileWithErrors(file)
  try {
    await writeWhole(errorsFile, new Uint8Array(await content.arrayBuffer()))
    return ` ${errorsFile} is the file with a column of them.`
  } catch (error) {
    // The errors are printed all the same.
    if (!isSystemError(error)) throw error
    return ` The file with a column of them could not be written: ${error.message}`
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
  { errors: errorsFile }: { errors?: string },
): Promise<void> {
  const { name, table } = file
  const errors = rowErrors(checkTable(table, type, false), table.csv)
  if (errors.length === 0) return
  const rows = new Set(errors.map(({ row }) => row)).size
  const where = errorsFile === undefined ? '' : await writeErrorsFile(errorsFile, file, errors)
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
