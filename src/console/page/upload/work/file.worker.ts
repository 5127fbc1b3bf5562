import { FileWork } from './file-work'
import type { WorkAnswer, WorkCall } from './remote-work'

const work = new FileWork()

/** Calls come in order, and each waits for the one before it. */
let last: Promise<void> = Promise.resolve()

async function answer({ id, method, args }: WorkCall): Promise<void> {
  const call = work[method] as (...args: unknown[]) => unknown
  let message: WorkAnswer
  try {
    message = { id, value: await call.apply(work, args) }
  } catch (error) {
    message = { id, fault: error instanceof Error ? error.message : String(error) }
  }
  self.postMessage(message)
}

self.onmessage = ({ data }: MessageEvent<WorkCall>) => {
  last = last.then(() => answer(data))
}
