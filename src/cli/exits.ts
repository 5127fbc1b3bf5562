import { isTransient } from '#client/retry'
import { isUntrusted, PROXY_LOGIN, ServiceError } from '#client/service-error'
import type { Shell } from './shell'

/** Exit codes. Scripts and monitors depend on these numbers (docs/cli.md), so they never change. */
export const EXIT = {
  done: 0,
  /** A bug in dcs. */
  defect: 1,
  /** Wrong usage, or a file that is missing or too old. */
  usage: 2,
  /** The file has errors, or needs the user's input. */
  invalid: 3,
  /** Stopped by a guard or a quota, or because another job has written. */
  stopped: 4,
  credentials: 5,
  /** Unreachable, or too busy: safe to run again. */
  unreachable: 6,
  /** Changes are pending (`--exit-code`). */
  pending: 7,
  /** Written, but the file was replaced in the meantime, so the catalog has an older one. */
  outdated: 8,
  /** Ctrl-C. */
  interrupted: 130,
  /** SIGTERM. */
  terminated: 143,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command. `message` is a sentence for users. */
export class CliError extends Error {
  readonly exit: ExitCode
  /** Properties of the object that `--json` prints. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(exit: ExitCode, message: string, details: Readonly<Record<string, unknown>> = {}, cause?: unknown) {
    super(message, { cause })
    this.exit = exit
    this.details = details
  }
}

/** Exit codes after which the same command can be run again. */
export const REPEATABLE_EXITS: readonly ExitCode[] = [EXIT.unreachable, EXIT.interrupted, EXIT.terminated]

/** Whether the service may or may not have completed the request. */
export const isUncertain = ({ exit, details }: CliError): boolean => REPEATABLE_EXITS.includes(exit) && !details.status

/** Whether another run may succeed without anyone changing anything. */
export const isWorthRepeating = ({ exit, cause }: CliError): boolean =>
  REPEATABLE_EXITS.includes(exit) && !(cause instanceof ServiceError && cause.isLasting)

export const usageError = (message: string): CliError => new CliError(EXIT.usage, message)

/** Exit codes by the status of the response. */
const EXIT_OF_STATUS: Readonly<Record<number, ExitCode>> = {
  400: EXIT.invalid,
  401: EXIT.credentials,
  403: EXIT.credentials,
  409: EXIT.stopped,
  410: EXIT.stopped,
  413: EXIT.invalid,
  507: EXIT.stopped,
}

/** What to do about a certificate that Node rejects, by Node's error code. */
const CERTIFICATE_HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /HAS_EXPIRED/,
    'It has expired: the operator of the service must renew it. If it is new, check the clock of this machine.',
  ],
  [/NOT_YET_VALID/, 'It is not valid yet: check the clock of this machine.'],
  [/ALTNAME|HOSTNAME/, 'It is for another host name: check the address (--url).'],
  [/REVOKED/, 'It is revoked: the operator of the service must replace it.'],
  [
    /./,
    'Its issuer is unknown: set NODE_EXTRA_CA_CERTS to a file with the certificate of the issuer, or ' +
      'NODE_OPTIONS=--use-system-ca (Node 22.15 or later).',
  ],
]

/** Whether this version of Node supports proxies: 22.21 and later 22.x, and 24 and later. */
function canUseProxy(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 21)
}

/** What to do about a failed connection: the missing or wrong setting; empty if there is nothing to suggest. */
export function hintFor(error: ServiceError, environment: Shell['env'], nodeVersion = process.versions.node): string {
  if (isUntrusted(error)) return ` ${CERTIFICATE_HINTS.find(([reason]) => reason.test(error.reason))?.[1]}`
  if (needsProxyLogin(error))
    return ' Put them into the address of the proxy: HTTPS_PROXY=http://user:password@proxy:3128.'
  const proxy = environment.HTTPS_PROXY ?? environment.https_proxy
  if (error.status !== 0 || proxy === undefined) return ''
  if (!canUseProxy(nodeVersion)) {
    const fix = 'Use Node 22.21 or later, with NODE_USE_ENV_PROXY=1.'
    return ` HTTPS_PROXY is set, but Node ${nodeVersion} ignores it. ${fix}`
  }
  return environment.NODE_USE_ENV_PROXY === '1'
    ? ''
    : ' HTTPS_PROXY is set, but Node uses it only with NODE_USE_ENV_PROXY=1.'
}

/** Whether a proxy requires a name and a password, for a tunnel or in place of the service. */
const needsProxyLogin = ({ reason, status }: ServiceError): boolean => reason === PROXY_LOGIN || status === 407

/** What a user needs to know in addition to the message of a rejected request. */
function adviceFor({ status, codes }: ServiceError): string {
  // The message names the parameter of the API, not the option of dcs.
  if (codes.includes('shrink_guard')) return ' Here that is --confirm-shrink.'
  return status === 404 || status === 405 ? ' Is the address that of the service, without a path (--url)?' : ''
}

/** The error of a command whose request failed. */
function endOfRefusal(error: ServiceError, environment: Shell['env']): CliError {
  const { status, code, codes, errors, requestId } = error
  const hint = hintFor(error, environment)
  const details = { status, errors, request_id: requestId }
  // Retrying does not help.
  if (isUntrusted(error) || needsProxyLogin(error))
    return new CliError(EXIT.usage, error.message + hint, details, error)
  // A proxy may reject a file that the service would accept.
  if (isTransient(error) || status === 0 || (code === 'unknown' && status !== 413)) {
    return new CliError(EXIT.unreachable, error.message + hint, details, error)
  }
  // An error without a row is about a parameter, and parameters come from the command line.
  const isUsageError = status === 400 && !errors.some((item) => 'index' in item && item.index !== null)
  const exit = isUsageError && !codes.includes('wrong_file') ? EXIT.usage : (EXIT_OF_STATUS[status] ?? EXIT.usage)
  return new CliError(exit, error.message + adviceFor(error), details, error)
}

/** File system errors that a user can fix. */
export const isSystemError = (error: unknown): error is NodeJS.ErrnoException =>
  error instanceof Error && 'syscall' in error && 'code' in error

/** A reader that closes the pipe early (`| head`) is not a failure. */
export const isClosedPipe = (error: unknown): boolean => isSystemError(error) && error.code === 'EPIPE'

const isMissingHome = (error: unknown): boolean => isSystemError(error) && error.syscall === 'uv_os_homedir'

/** Converts any error to a CliError. Unknown errors are bugs in dcs. */
export function cliErrorOf(error: unknown, environment: Shell['env']): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ServiceError) return endOfRefusal(error, environment)
  if (isMissingHome(error))
    return usageError('This user has no home folder: set DCS_CONFIG to the file with the profiles.')
  if (isSystemError(error)) return new CliError(EXIT.usage, error.message, { code: error.code }, error)
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(EXIT.defect, `This is a bug in dcs: ${message}`, {}, error)
}
