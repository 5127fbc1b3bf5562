import type { ServiceClient } from '#client/client'
import { splitRows } from '#records/csv/rows'
import type { RecordType } from '#records/record-type'
import { type CsvFile, rowsOf } from './read-file'
import { type SimilarId, similarIds } from './similar-ids'

/** The ids in a file; none where it has no column for them. */
function* idsOfFile(file: CsvFile, idField: string): Generator<string> {
  const position = file.columns.find(({ field }) => field.name === idField)?.position
  if (position === undefined) return
  const rows = rowsOf(file)
  rows.next()
  for (const cells of rows) yield (cells[position] ?? '').trim()
}

/** The ids of a catalog from its export, whose first column they are. */
function idsOfExport(csv: string): Set<string> {
  const ids = new Set<string>()
  const rows = splitRows(csv, { separator: ',', headerStart: 0 })
  rows.next()
  for (const [id = ''] of rows) if (id !== '') ids.add(id)
  return ids
}

/**
 * Compares the ids of a file with all of the catalog, inactive records included.
 *
 * @throws ServiceError
 */
export async function compareIds(
  client: Pick<ServiceClient, 'file'>,
  type: RecordType,
  file: CsvFile,
  signal: AbortSignal,
): Promise<readonly SimilarId[]> {
  const catalog = await client.file('get', '/admin/datasets/v1/', {
    query: { type: type.name, format: 'csv', show_inactive: '1' },
    signal,
  })
  const text = await (await catalog.blob()).text()
  return similarIds(idsOfFile(file, type.idField), idsOfExport(text))
}
