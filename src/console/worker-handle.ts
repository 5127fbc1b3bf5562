import { type Remote, wrap } from 'comlink'

/** Access to an object in a worker. */
export interface WorkerHandle<Work> {
  work: Remote<Work>
  /** Fails when the worker cannot be started. */
  failed: Promise<never>
  /** Ends the worker. Calls without an answer never get one. */
  end(): void
}

/** Makes the handle of a worker. @param purpose what it does, for the error message: `reads files` */
export function handleOf<Work>(worker: Worker, purpose: string): WorkerHandle<Work> {
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = ({ message }) =>
      reject(new Error(message || `The program that ${purpose} did not start. Reload the page.`))
  })
  // Not everybody waits for it.
  failed.catch(() => undefined)
  return { work: wrap<Work>(worker), failed, end: () => worker.terminate() }
}
