import Papa from 'papaparse'
import type { CatalogClient } from '#client/catalog-client'
import { textWorkbook } from '#files/workbook/text-workbook'
import type { RecordTypeName } from '#shared/records/record-type'
import { EXIT, type ExitCode } from './exits'
import type { Output } from './output'
import type { Connection } from './settings'
import { writeWhole } from './write-whole'

type PullFormat = 'csv' | 'xlsx' | 'ndjson'

async function* contentOf(
  client: CatalogClient,
  type: RecordTypeName,
  format: PullFormat,
): AsyncGenerator<string | Uint8Array> {
  if (format === 'ndjson') {
    for await (const record of client.records(type)) yield `${JSON.stringify(record)}\n`
    return
  }
  const { stream, blob } = await client.file('get', '/admin/datasets/v1/', { query: { type, format: 'csv' } })
  if (format === 'csv') yield* stream
  else {
    const { data } = Papa.parse<string[]>(await (await blob()).text(), { skipEmptyLines: true })
    yield new Uint8Array(await textWorkbook([{ name: type, rows: data }]).arrayBuffer())
  }
}

interface PullOptions {
  format: PullFormat
  /** Writes to this file, atomically. */
  output?: string
}

/** Writes the active records of a catalog to stdout or to a file. */
export async function pull(
  { client }: Connection,
  output: Output,
  type: RecordTypeName,
  { format, output: file }: PullOptions,
): Promise<ExitCode> {
  const content = contentOf(client, type, format)
  if (file !== undefined) await writeWhole(file, content)
  else for await (const piece of content) await output.write(piece)
  return EXIT.done
}
