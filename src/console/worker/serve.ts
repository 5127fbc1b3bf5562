import { asError } from '#shared/errors/as-error'
import type { WorkAnswer, WorkCall } from './remote'

/** Lets the page call the methods of an object in this worker. Each call waits for the one before it. */
export function serve(work: object): void {
  let last: Promise<void> = Promise.resolve()
  const answer = async ({ id, method, args }: WorkCall): Promise<void> => {
    let message: WorkAnswer
    try {
      const call: (...args: unknown[]) => unknown = Reflect.get(work, method)
      message = { id, value: await call.apply(work, args) }
    } catch (error) {
      message = { id, fault: asError(error).message }
    }
    self.postMessage(message)
  }
  self.onmessage = ({ data }: MessageEvent<WorkCall>) => {
    last = last.then(() => answer(data))
  }
}
