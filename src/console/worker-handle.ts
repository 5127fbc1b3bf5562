import { type Remote, wrap } from 'comlink'

/** Access to an object in a worker. */
export interface WorkerHandle<Work> {
  work: Remote<Work>
  /** Rejects if the worker cannot be started. */
  failed: Promise<never>
  /** Terminates the worker. Pending calls never resolve. */
  end(): void
}

/** Creates a handle for a worker. @param purpose for the error message: `reads files` */
export function handleOf<Work>(worker: Worker, purpose: string): WorkerHandle<Work> {
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = ({ message }) =>
      reject(new Error(message || `The worker that ${purpose} did not start. Reload the page.`))
  })
  // Not every caller awaits it.
  failed.catch(() => undefined)
  return { work: wrap<Work>(worker), failed, end: () => worker.terminate() }
}
