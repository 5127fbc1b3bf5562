import type { Readable, Writable } from 'node:stream'

/** What a command runs in: the process, or what a test puts in its place. */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: Readable & { isTTY?: boolean }
  readonly stdout: Writable & { columns?: number }
  readonly stderr: Writable & { isTTY?: boolean; columns?: number }
  /** Aborted with a `CliError` when the process should end. */
  readonly signal?: AbortSignal
}
