/** The methods of an object in a worker. Each answers later. */
export type Remote<Work> = {
  [K in keyof Work]: Work[K] extends (...args: infer Args) => infer Result
    ? (...args: Args) => Promise<Awaited<Result>>
    : never
}

/** One call, as it is sent to the worker. */
export interface WorkCall {
  id: number
  method: PropertyKey
  args: unknown[]
}

export type WorkAnswer = { id: number; value: unknown } | { id: number; fault: string }

/** The work in a worker, and its end. */
export interface Desk<Work> {
  work: Remote<Work>
  /** Ends what is under way: calls that have no answer yet fail. */
  end(): void
}

/** Makes the methods of the work from something that calls them. */
export const methodsBy = <Work>(
  call: (method: keyof Work, args: unknown[]) => Promise<unknown>,
): Remote<Work> =>
  new Proxy({} as Remote<Work>, {
    get:
      (_, method) =>
      (...args: unknown[]) =>
        call(method as keyof Work, args),
  })

/**
 * Prepares calls to a worker.
 *
 * @param purpose what the program in the worker does: `reads files`
 */
export function startDesk<Work>(worker: Worker, purpose: string): Desk<Work> {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const failAll = (message: string) => {
    for (const { reject } of waiting.values()) reject(new Error(message))
    waiting.clear()
  }
  worker.onmessage = ({ data }: MessageEvent<WorkAnswer>) => {
    const call = waiting.get(data.id)
    waiting.delete(data.id)
    if ('fault' in data) call?.reject(new Error(data.fault))
    else call?.resolve(data.value)
  }
  worker.onerror = (event) =>
    failAll(event.message || `The program that ${purpose} did not start. Reload the page.`)
  let calls = 0
  return {
    work: methodsBy((method, args) => {
      const call = Promise.withResolvers<unknown>()
      const id = calls++
      waiting.set(id, call)
      worker.postMessage({ id, method, args } satisfies WorkCall)
      return call.promise
    }),
    end: () => {
      worker.terminate()
      failAll('The work on the file has ended.')
    },
  }
}

/** Does one task in a worker, and ends the worker. */
export async function doOnce<Work, Result>(
  { work, end }: Desk<Work>,
  task: (work: Remote<Work>) => Promise<Result>,
): Promise<Result> {
  try {
    return await task(work)
  } finally {
    end()
  }
}
