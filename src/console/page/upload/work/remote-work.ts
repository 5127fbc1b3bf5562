import type { FileWork } from './file-work'

/** The methods of the work, each of which answers later. */
export type RemoteWork = {
  [K in keyof FileWork]: FileWork[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/** One call, as it is sent to the worker. */
export interface WorkCall {
  id: number
  method: keyof FileWork
  args: unknown[]
}

export type WorkAnswer = { id: number; value: unknown } | { id: number; fault: string }

/** The work on one file, and its end. */
export interface FileDesk {
  work: RemoteWork
  /** Ends what is under way: calls that have no answer yet fail. */
  end(): void
}

/** Makes the methods of the work from something that calls them. */
export const methodsBy = (call: (method: keyof FileWork, args: unknown[]) => Promise<unknown>): RemoteWork =>
  new Proxy({} as RemoteWork, {
    get:
      (_, method: keyof FileWork) =>
      (...args: unknown[]) =>
        call(method, args),
  })

interface Waiting {
  resolve: (value: unknown) => void
  reject: (error: Error) => void
}

/** Starts a worker for one file. A large file takes seconds, and the page must answer meanwhile. */
export function startFileDesk(): FileDesk {
  const worker = new Worker(new URL('./file.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, Waiting>()
  const failAll = (error: Error) => {
    for (const { reject } of waiting.values()) reject(error)
    waiting.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<WorkAnswer>) => {
    const call = waiting.get(data.id)
    waiting.delete(data.id)
    if ('fault' in data) call?.reject(new Error(data.fault))
    else call?.resolve(data.value)
  }
  worker.onerror = (event) =>
    failAll(new Error(event.message || 'The program that reads files did not start. Reload the page.'))
  let calls = 0
  return {
    work: methodsBy(
      (method, args) =>
        new Promise((resolve, reject) => {
          const id = calls++
          waiting.set(id, { resolve, reject })
          worker.postMessage({ id, method, args } satisfies WorkCall)
        }),
    ),
    end: () => {
      worker.terminate()
      failAll(new Error('The work on the file has ended.'))
    },
  }
}
