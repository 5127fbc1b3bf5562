import type { Readable, Writable } from 'node:stream'

/** The parts of the process that commands use, replaceable in tests. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Writable & { columns?: number }
  /** The descriptor of stdout if stdout is a file. */
  readonly stdoutFile?: number | undefined
  readonly stderr: Writable & { isTTY?: boolean; columns?: number }
  /** Aborted with a `CliError` when the process should end. */
  readonly signal?: AbortSignal
}

/** Waits for a user or for another process. @throws the reason of the signal as soon as it is aborted */
export function untilStopped<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const stop = new Promise<never>((_, reject) => {
    if (signal?.aborted) reject(signal.reason)
    signal?.addEventListener('abort', () => reject(signal.reason))
  })
  return Promise.race([work, stop])
}
