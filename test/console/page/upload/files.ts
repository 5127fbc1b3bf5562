import { readCsvFile } from '#console/page/upload/read-file'
import { FileWork } from '#console/page/upload/work/file-work'
import type { FileDesk } from '#console/page/upload/work/remote-work'
import { Table } from '#console/page/upload/work/table'
import { methodsBy } from '#console/page/worker/remote'
import type { RecordTypeName } from '#records/record-type'
import { medication } from '#records/types/medication'

const encoder = new TextEncoder()

export const readText = (text: string) => readCsvFile(encoder.encode(text), medication)

/** A file of medications as a table. */
export const tableOf = (content: string | Uint8Array<ArrayBuffer>): Table =>
  new Table(readCsvFile(typeof content === 'string' ? encoder.encode(content) : content, medication))

/** The work on a file, here in place of a worker; what goes to and fro is copied as it would be. */
export function deskHere(): FileDesk {
  const work = new FileWork()
  return {
    work: methodsBy(async (method, args) => {
      const call = work[method] as (...args: unknown[]) => unknown
      return structuredClone(await call.apply(work, args))
    }),
    end: () => undefined,
  }
}

/** A file that has been read. */
export async function opened(text: string, type: RecordTypeName = 'medication'): Promise<FileWork> {
  const work = new FileWork()
  await work.open(new File([text], 'a.csv'))
  work.read(type, {})
  return work
}

/** The text of what is sent, part by part. */
export const sentBy = (work: FileWork): Promise<string[]> =>
  Promise.all(work.parts().map(({ content }) => content.text()))
