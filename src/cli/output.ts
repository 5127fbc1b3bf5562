import type { Attempt } from '#client/client'
import { asError } from '#shared/errors/errors'
import { type CliError, EXIT, type ExitCode, isClosedPipe, isWorthRepeating } from './exits'
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
  readonly #isRead: boolean

  /** @param isRead whether the result is all that the command is for */
  constructor(shell: Shell, options: OutputOptions, isRead: boolean) {
    this.shell = shell
    this.#options = options
    this.#isRead = isRead
  }

  /**
   * The result of a command, as text or as one object.
   *
   * @returns how the command ends: of a write that does not depend on whether somebody reads of it
   */
  async result(text: string, object: { exit: ExitCode; [member: string]: unknown }): Promise<ExitCode> {
    const { exit } = object
    try {
      await this.write(this.#options.json ? `${JSON.stringify(object)}\n` : `${text}\n`)
      return exit
    } catch (error) {
      if (isClosedPipe(error)) return exit
      this.say(`dcs: Cannot write the result: ${asError(error).message}`)
      return this.#isRead && exit === EXIT.done ? EXIT.usage : exit
    }
  }

  /** Part of a result that is data. Ends when the system has all of it. @throws Error of the system */
  write(data: string | Uint8Array): Promise<void> {
    const { stdout } = this.shell
    return new Promise((resolve, reject) => {
      stdout.write(data, (error) => (error ? reject(error) : resolve()))
    })
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
    const answer = status === 0 ? 'no response' : `${status} ${requestId ?? 'without a request id'}`
    this.say(`${method} ${path}  ${answer}  ${durationMs} ms`)
  }

  /** Why a command fails. */
  async failure(error: CliError): Promise<void> {
    const { exit, message: reason, details, cause } = error
    const message = isWorthRepeating(error) ? `${reason} It is safe to run the command again.` : reason
    if (this.#options.json) await this.result('', { exit, message, ...details })
    else this.say(`dcs: ${message}`)
    if (exit === EXIT.defect && cause instanceof Error) this.say(String(cause.stack))
  }
}
