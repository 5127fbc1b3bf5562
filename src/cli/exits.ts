import { isTransient, isUntrusted } from '#client/retry'
import { ServiceError } from '#client/service-error'
import type { Shell } from './shell'

/** How a command ends. Scripts and monitors read these numbers (docs/cli.md), so they never change. */
export const EXIT = {
  done: 0,
  /** A defect of this program. */
  defect: 1,
  /** Wrong use; a file that is missing or too old. */
  usage: 2,
  /** The file has errors, or a question about it is open. */
  invalid: 3,
  /** Stopped by a guard or a quota, or overtaken by another program. */
  stopped: 4,
  credentials: 5,
  /** Not reachable, or too busy: safe to run again. */
  unreachable: 6,
  /** Changes are pending (`--exit-code`). */
  pending: 7,
  /** Ctrl-C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** A command that cannot go on. `message` is a sentence for people. */
export class CliError extends Error {
  readonly exit: ExitCode
  /** Members of the object that `--json` prints. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(exit: ExitCode, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.exit = exit
    this.details = details
  }
}

/** Exit codes after which the same command may be run again. */
export const REPEATABLE_EXITS: readonly ExitCode[] = [EXIT.unreachable, EXIT.interrupted, EXIT.terminated]

/** Whether nobody knows if the service has carried the request out. */
export const isUncertain = ({ exit, details }: CliError): boolean => REPEATABLE_EXITS.includes(exit) && !details.status

/** Whether another run may end in another way without a change by somebody. */
export const isWorthRepeating = ({ exit, cause }: CliError): boolean =>
  REPEATABLE_EXITS.includes(exit) && !(cause instanceof ServiceError && cause.isLasting)

export const usageError = (message: string): CliError => new CliError(EXIT.usage, message)

/** Exit codes by the status of the service's answer. */
const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.invalid,
  401: EXIT.credentials,
  403: EXIT.credentials,
  409: EXIT.stopped,
  410: EXIT.stopped,
  413: EXIT.invalid,
  507: EXIT.stopped,
}

/** A hint for the message of a failed connection: the setting of Node that is missing. */
export function hintFor(error: ServiceError, environment: Shell['env']): string {
  if (isUntrusted(error)) {
    return (
      ' Node does not trust the certificate: set NODE_EXTRA_CA_CERTS to a file with its issuer, or ' +
      'NODE_OPTIONS=--use-system-ca (Node 22.15 or later).'
    )
  }
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy
  if (error.status === 0 && proxy !== undefined && environment.NODE_USE_ENV_PROXY !== '1') {
    return ' HTTPS_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1 (Node 22.21 or later).'
  }
  return ''
}

/** What a person needs to know besides the message of a refusal. */
function adviceFor({ status, codes }: ServiceError): string {
  // It names the parameter of the API, not the option of dcs.
  if (codes.includes('shrink_guard')) return ' Here that is --confirm-shrink.'
  return status === 404 || status === 405 ? ' Is the address that of the service, without a path (--url)?' : ''
}

/** The error of a command whose request the service has refused. */
function endOfRefusal(error: ServiceError, environment: Shell['env']): CliError {
  const { status, code, codes, errors, requestId } = error
  const hint = hintFor(error, environment)
  const details = { status, errors, request_id: requestId }
  // A proxy may refuse a file that the service would take.
  if (isTransient(error) || status === 0 || (code === 'unknown' && status !== 413)) {
    return new CliError(EXIT.unreachable, error.message + hint, details, error)
  }
  // An error that is about no row is about a parameter, and parameters come from the command line.
  const isUsageError = status === 400 && !errors.some((item) => 'index' in item && item.index !== null)
  const exit = isUsageError && !codes.includes('wrong_file') ? EXIT.usage : (EXIT_OF_STATUS[status] ?? EXIT.usage)
  return new CliError(exit, error.message + adviceFor(error), details, error)
}

/** Faults of the file system that a person can do something about. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** A reader that has enough (`| head`) is no failure. */
export const isClosedPipe = (error: unknown): boolean => isSystemError(error) && error.code === 'EPIPE'

/** Makes any error the error of a command. One that is not known is a defect of dcs. */
export function cliErrorOf(error: unknown, environment: Shell['env']): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ServiceError) return endOfRefusal(error, environment)
  if (isSystemError(error)) return new CliError(EXIT.usage, error.message, { code: error.code }, error)
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(EXIT.defect, `This is a defect of dcs: ${message}`, {}, error)
}
