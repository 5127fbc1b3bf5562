import { isTransient } from '#client/retry'
import { isUntrusted, PROXY_LOGIN, ServiceError } from '#client/service-error'
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
  /** Written, but the file was replaced meanwhile, so the catalog has an older one. */
  outdated: 8,
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

/** What to do about a certificate that Node refuses, by Node's code for the reason. */
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

/** Whether this Node can use a proxy: from 22.21 on, and in every 24. */
function canUseProxy(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major >= 24 || (major === 22 && minor >= 21)
}

/** What to do about a failed connection: the setting that is missing or wrong; empty if there is nothing to say. */
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

/** Whether a proxy wants a name and a password: for a tunnel, or in the place of the service. */
const needsProxyLogin = ({ reason, status }: ServiceError): boolean => reason === PROXY_LOGIN || status === 407

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
  // Nothing gets better by itself.
  if (isUntrusted(error) || needsProxyLogin(error))
    return new CliError(EXIT.usage, error.message + hint, details, error)
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

const isMissingHome = (error: unknown): boolean => isSystemError(error) && error.syscall === 'uv_os_homedir'

/** Makes any error the error of a command. One that is not known is a defect of dcs. */
export function cliErrorOf(error: unknown, environment: Shell['env']): CliError {
  if (error instanceof CliError) return error
  if (error instanceof ServiceError) return endOfRefusal(error, environment)
  if (isMissingHome(error))
    return usageError('This user has no home folder: set DCS_CONFIG to the file with the profiles.')
  if (isSystemError(error)) return new CliError(EXIT.usage, error.message, { code: error.code }, error)
  const message = error instanceof Error ? error.message : String(error)
  return new CliError(EXIT.defect, `This is a bug in dcs: ${message}`, {}, error)
}
