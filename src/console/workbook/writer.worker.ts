import { expose } from 'comlink'
import { textWorkbook } from '#files/workbook/text-workbook'
import { splitRows } from '#shared/records/csv/rows'

const writer = {
  textWorkbook,
  /** A workbook with one sheet from a CSV file of the service. */
  async csvWorkbook(csv: Blob, name: string): Promise<Blob> {
    return textWorkbook([{ name, rows: splitRows(await csv.text(), { separator: ',', headerStart: 0 }) }])
  },
}

export type Writer = typeof writer

expose(writer)
