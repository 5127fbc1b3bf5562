import { type Remote, wrap } from 'comlink'

/** An object in a worker, and its end. */
export interface WorkerHandle<Work> {
  /** Its methods; each answers later. */
  work: Remote<Work>
  /** Fails when the worker cannot be started. */
  failed: Promise<never>
  /** Ends what is under way: calls that have no answer yet get none. */
  end(): void
}

/** @param purpose what the program in the worker does: `reads files` */
export function handleOf<Work>(worker: Worker, purpose: string): WorkerHandle<Work> {
  const failed = new Promise<never>((_, reject) => {
    worker.onerror = ({ message }) =>
      reject(new Error(message || `The program that ${purpose} did not start. Reload the page.`))
  })
  // Who waits for nothing is told nothing.
  failed.catch(() => undefined)
  return { work: wrap<Work>(worker), failed, end: () => worker.terminate() }
}
