import type { Remote } from 'comlink'
import { handleOf } from '../worker-handle'
import type { Writer } from './writer.worker'

/**
 * Writes a workbook in a worker, because a large one takes seconds. The library is only loaded when needed.
 *
 * @throws Error with the reason, if it cannot be written
 */
export async function writeWorkbook(task: (writer: Remote<Writer>) => Promise<Blob>): Promise<Blob> {
  const worker = new Worker(new URL('./writer.worker.ts', import.meta.url), { type: 'module' })
  const { work, failed, end } = handleOf<Writer>(worker, 'writes workbooks')
  try {
    return await Promise.race([task(work), failed])
  } finally {
    end()
  }
}
