import type { Attempt } from '#client/client'
import { asError } from '#shared/errors/errors'
import { type CliError, EXIT, type ExitCode, isClosedPipe, isWorthRepeating } from './exits'
import type { Shell } from './shell'

export interface OutputOptions {
  /** Prints one object on stdout instead of text. */
  json?: boolean
  /** Prints nothing on stderr except the reason of a failure. */
  quiet?: boolean
  /** Prints each request on stderr, with its ID. */
  verbose?: boolean
}

/** Where a command writes: results to stdout, progress to stderr. */
export class Output {
  readonly shell: Shell
  readonly #options: OutputOptions
  readonly #isRead: boolean

  /** @param isRead whether the command only exists for its result */
  constructor(shell: Shell, options: OutputOptions, isRead: boolean) {
    this.shell = shell
    this.#options = options
    this.#isRead = isRead
  }

  /**
   * Prints the result of a command, as text or as one object.
   *
   * @returns the exit code, which for a write does not depend on whether the result could be printed
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

  /** Writes a part of the result data. Resolves when the system has accepted all of it. @throws Error of the system */
  write(data: string | Uint8Array): Promise<void> {
    const { stdout } = this.shell
    return new Promise((resolve, reject) => {
      stdout.write(data, (error) => (error ? reject(error) : resolve()))
    })
  }

  /** Prints a progress message. */
  note(line: string): void {
    if (!this.#options.quiet) this.say(line)
  }

  /** Prints a line that `--quiet` does not suppress. */
  say(line: string): void {
    this.shell.stderr.write(`${line}\n`)
  }

  /** With `--verbose`, prints a request, whether or not there was a response. */
  readonly attempt = ({ method, path, status, requestId, durationMs }: Attempt): void => {
    if (!this.#options.verbose) return
    const answer = status === 0 ? 'no response' : `${status} ${requestId ?? 'without a request id'}`
    this.say(`${method} ${path}  ${answer}  ${durationMs} ms`)
  }

  /** Prints why a command fails. */
  async failure(error: CliError): Promise<void> {
    const { exit, message: reason, details, cause } = error
    const message = isWorthRepeating(error) ? `${reason} It is safe to run the command again.` : reason
    if (this.#options.json) await this.result('', { exit, message, ...details })
    else this.say(`dcs: ${message}`)
    if (exit === EXIT.defect && cause instanceof Error) this.say(String(cause.stack))
  }
}
