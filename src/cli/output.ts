import { once } from 'node:events'
import type { Attempt } from '#client/client'
import { type CliError, EXIT, type ExitCode, REPEATABLE_EXITS } from './exits'
import type { Shell } from './shell'

export interface OutputOptions {
  /** One object on stdout instead of text. */
  json?: boolean
  /** Nothing on stderr but why a command fails. */
  quiet?: boolean
  /** Each request on stderr, with its id. */
  verbose?: boolean
}

/** Where a command writes: results to stdout, progress to stderr. */
export class Output {
  readonly shell: Shell
  readonly #options: OutputOptions

  constructor(shell: Shell, options: OutputOptions) {
    this.shell = shell
    this.#options = options
  }

  /** The result of a command, as text or as one object. @returns how the command ends */
  async result<Exit extends ExitCode>(text: string, object: { exit: Exit; [member: string]: unknown }): Promise<Exit> {
    await this.write(this.#options.json ? `${JSON.stringify(object)}\n` : `${text}\n`)
    return object.exit
  }

  /** Part of a result that is data: as much as the reader takes at a time. */
  async write(data: string | Uint8Array): Promise<void> {
    if (!this.shell.stdout.write(data)) await once(this.shell.stdout, 'drain')
  }

  /** A line about the progress. */
  note(line: string): void {
    if (!this.#options.quiet) this.say(line)
  }

  /** A line that `--quiet` does not suppress. */
  say(line: string): void {
    this.shell.stderr.write(`${line}\n`)
  }

  /** Reports a request, answered or not, with `--verbose`. */
  readonly attempt = ({ method, path, status, requestId, durationMs }: Attempt): void => {
    if (!this.#options.verbose) return
    const answer = status === 0 ? 'no answer' : `${status} ${requestId ?? 'without a request id'}`
    this.say(`${method} ${path}  ${answer}  ${durationMs} ms`)
  }

  /** Why a command fails. */
  async failure({ exit, message: reason, details, cause }: CliError): Promise<void> {
    const message = REPEATABLE_EXITS.includes(exit) ? `${reason} It is safe to run the command again.` : reason
    if (this.#options.json) await this.write(`${JSON.stringify({ exit, message, ...details })}\n`)
    else this.say(`dcs: ${message}`)
    if (exit === EXIT.defect && cause instanceof Error) this.say(String(cause.stack))
  }
}
