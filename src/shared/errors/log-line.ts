import { version } from '../../../package.json'

/** Writes one line of JSON, with the release. Never pass secrets, tokens, bodies or personal data. */
export function logLine(fields: Record<string, unknown>): void {
  // biome-ignore lint/suspicious/noConsole: the console is where a Worker's log goes.
  console.log(JSON.stringify({ ...fields, release: version }))
}

/** The name of an exception, for a log line. Its message could quote the input. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')
