import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CatalogClient } from '#client/catalog-client'
import type { Attempt } from '#client/client'
import { clientCredentials } from '#client/credentials'
import type { ServiceError } from '#client/service-error'
import type { TokenSource } from '#client/token-source'
import { LOOPBACK_HOSTS } from '#shared/access/loopback-hosts'
import { CliError, EXIT, hintFor, usageError } from './exits'
import { readJson } from './files'
import type { Output } from './output'
import type { Shell } from './shell'

export interface ConnectionOptions {
  url?: string
  profile?: string
  /** Timeout of the whole command, in milliseconds. */
  timeout?: number
}

/** The settings of a connection. Environment variables have the same names: `DCS_CLIENT_ID`. */
const SETTINGS = ['url', 'client_id', 'client_secret', 'client_secret_file', 'api_key', 'api_key_file'] as const

/** `token_file` contains the access token of a user, from `dcs login`. Paths are relative to the profiles file. */
type Settings = Partial<Record<(typeof SETTINGS)[number] | 'token_file', string | undefined>>

export interface StoredLogin {
  access_token: string
  /** Milliseconds since 1970. */
  expires_at: number
}

export type Profiles = Readonly<Record<string, Settings>>

const DEFAULT_PROFILE = 'default'

/**
 * The path of the profiles file: `DCS_CONFIG`, or the system's folder for settings. An empty variable is ignored.
 *
 * @throws Error of the system if the user has no home folder
 */
export function profilesFile(env: Shell['env']): string {
  const folder = env.XDG_CONFIG_HOME || env.APPDATA || path.join(env.HOME || homedir(), '.config')
  return env.DCS_CONFIG || path.join(folder, 'dcs', 'profiles.json')
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isSettings = (value: unknown): value is Settings =>
  isObject(value) && Object.values(value).every((each) => typeof each === 'string')

const areProfiles = (value: unknown): value is Profiles => isObject(value) && Object.values(value).every(isSettings)

/** @throws CliError 2 if the file does not contain profiles */
export async function readProfiles(env: Shell['env']): Promise<Profiles> {
  const file = profilesFile(env)
  const profiles = (await readJson(file)) ?? {}
  if (areProfiles(profiles)) return profiles
  throw usageError(`${file} must be a JSON object with one object of texts for each profile (docs/cli.md).`)
}

/** The name of the current profile. */
export const profileName = ({ profile }: ConnectionOptions, env: Shell['env']): string =>
  profile ?? (env.DCS_PROFILE || DEFAULT_PROFILE)

/** The settings of the current profile; none if it does not exist. */
function profileSettings(options: ConnectionOptions, profiles: Profiles, env: Shell['env']): Settings {
  const { url, client_id, ...files } = profiles[profileName(options, env)] ?? {}
  const absolute = (file: string | undefined) => file && path.resolve(path.dirname(profilesFile(env)), file)
  return {
    url,
    client_id,
    client_secret_file: absolute(files.client_secret_file),
    api_key_file: absolute(files.api_key_file),
    token_file: absolute(files.token_file),
  }
}

/** Ignores empty variables. */
const environmentSettings = (env: Shell['env']): Settings =>
  Object.fromEntries(SETTINGS.map((name) => [name, env[`DCS_${name.toUpperCase()}`] || undefined]))

/** Whether options and variables contain everything, so that no profile is needed. */
function needsNoProfile({ url, profile }: ConnectionOptions, env: Shell['env']): boolean {
  if (profile !== undefined || env.DCS_PROFILE) return false
  const settings = { ...environmentSettings(env), ...(url !== undefined && { url }) }
  const has = (...names: (keyof Settings)[]) => names.some((name) => settings[name] !== undefined)
  return has('url') && has('client_id') && has('client_secret', 'client_secret_file') && has('api_key', 'api_key_file')
}

/**
 * The settings of a command, in this order: its options, a profile named by an option, the environment, the current
 * profile.
 */
function settingsFor(options: ConnectionOptions, profiles: Profiles, env: Shell['env']): Settings {
  const [environment, profile] = [environmentSettings(env), profileSettings(options, profiles, env)]
  const [first, second] = options.profile === undefined ? [environment, profile] : [profile, environment]
  const firstOf = (...names: (keyof Settings)[]): Settings => {
    const place = names.some((name) => first[name] !== undefined) ? first : second
    return Object.fromEntries(names.map((name) => [name, place[name]]))
  }
  return {
    url: options.url ?? first.url ?? second.url,
    // The client or user is never combined from two sources, and neither is a secret.
    ...firstOf('client_id', 'token_file'),
    ...firstOf('client_secret', 'client_secret_file'),
    ...firstOf('api_key', 'api_key_file'),
  }
}

/** Only the owner of a file with a secret should be able to read it. */
const RIGHTS_OF_OTHERS = 0o077

/** A secret, or the content of the file that is named instead. @param name the secret's variable */
async function secretText(
  name: string,
  value: string | undefined,
  file: string | undefined,
  output: Output,
): Promise<string> {
  if (value !== undefined) return requireSecret(value, name)
  if (file === undefined) {
    throw new CliError(EXIT.credentials, `${name} is missing. Set it or ${name}_FILE, or use a profile.`)
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(EXIT.credentials, `Cannot read ${file}: ${String(error)}`)
  })
  if (process.platform !== 'win32' && ((await stat(file)).mode & RIGHTS_OF_OTHERS) !== 0) {
    output.note(`Other users can read ${file}. To prevent that: chmod 600 ${file}`)
  }
  return requireSecret(text.trim(), `${name}_FILE (${file})`)
}

/** @throws CliError 5 if it cannot be a secret of the service */
function requireSecret(text: string, place: string): string {
  if (/^[!-~]+$/.test(text)) return text
  const message = `${place} is not a secret of the service: it is empty or contains a character that no secret has.`
  throw new CliError(EXIT.credentials, `${message} A file must be UTF-8.`)
}

/** @throws CliError for an invalid URL, and for a URL that would send secrets unencrypted */
function addressOf(text: string | undefined): string {
  if (text === undefined) throw usageError('No service URL. Set --url or DCS_URL, or use a profile.')
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw usageError(`“${text}” is not a URL, such as https://catalog.example.`)
  if (protocol === 'http:' && !LOOPBACK_HOSTS.includes(hostname)) {
    throw usageError(`${text} would send the secrets unencrypted. Use https.`)
  }
  return text.replace(/\/$/, '')
}

/**
 * @throws CliError 2 if a client ID would take precedence over the login: the client, not the user, would then approve
 *   uploads
 */
export function requireUsedLogin(options: ConnectionOptions, profiles: Profiles, env: Shell['env']): void {
  const name = profileName(options, env)
  const after = { ...profiles, [name]: { ...profiles[name], token_file: 'login' } }
  if (settingsFor(options, after, env).client_id === undefined) return
  const setting =
    profiles[name]?.client_id === undefined || (options.profile === undefined && env.DCS_CLIENT_ID)
      ? 'the variable DCS_CLIENT_ID'
      : `client_id of the profile “${name}” in ${profilesFile(env)}`
  throw usageError(
    `A login would not be used, because commands use ${setting}. Remove it, or log in under another profile: ` +
      'dcs login --profile <name>.',
  )
}

/** The base URL of the service. */
export const addressFor = (options: ConnectionOptions, profiles: Profiles, env: Shell['env']): string =>
  addressOf(settingsFor(options, profiles, env).url)

const loginEnded = (): CliError => new CliError(EXIT.credentials, 'Session expired. Log in again: dcs login.')

const isLogin = (value: unknown): value is StoredLogin =>
  isObject(value) && typeof value.access_token === 'string' && typeof value.expires_at === 'number'

/** The token of a logged-in user. @throws CliError 5 if it has expired, or if its file is damaged */
async function personToken(file: string): Promise<TokenSource> {
  const login = await readJson(file).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error)
    throw new CliError(EXIT.credentials, `${file} cannot be used (${message}). Log in again: dcs login.`)
  })
  if (login === null) throw loginEnded()
  if (!isLogin(login)) throw new CliError(EXIT.credentials, `${file} contains no login. Log in again: dcs login.`)
  const { access_token, expires_at } = login
  if (expires_at <= Date.now()) throw loginEnded()
  return { token: async () => access_token, renew: () => Promise.reject(loginEnded()) }
}

export interface Connection {
  client: CatalogClient
  tokens: TokenSource
  /** Whether the caller is an integration, not a user. */
  isProgram: boolean
  /** The current time of the service, by its newest response; undefined if no response had one. */
  clock: () => number | undefined
  /** Aborted when the command times out or the process ends. */
  signal: AbortSignal
}

/** Ends a command after its timeout, with an error that says what it was waiting for. */
function timeOf(timeout: number, output: Output) {
  const controller = new AbortController()
  const endsAt = Date.now() + timeout
  let last = ''
  let ahead: number | undefined
  const end = () =>
    controller.abort(new CliError(EXIT.unreachable, `Timed out after ${timeout / 1000} seconds (--timeout).${last}`))
  setTimeout(end, timeout).unref()
  const onAttempt = (attempt: Attempt) => {
    const { failure, status, serviceTime } = attempt
    if (failure === null && serviceTime !== null) ahead = serviceTime - Date.now()
    if (status > 0 && status < 400) last = ''
    output.attempt(attempt)
  }
  const onWait = (error: ServiceError, ms: number) => {
    const text = ` ${error.message}${hintFor(error, output.shell.env)}`
    const when = error.retryAfterMs === undefined ? '' : ` in ${Math.ceil(ms / 1000)} seconds`
    // Print a repeated message only once.
    if (text !== last) output.note(`${text.trim()} Trying again${when}.`)
    last = text
  }
  const clock = () => (ahead === undefined ? undefined : Date.now() + ahead)
  return { signal: controller.signal, left: () => endsAt - Date.now(), onAttempt, onWait, clock }
}

/**
 * Longest time of one attempt, in milliseconds: the service responds within 29 seconds; slow connections take longer.
 */
const ATTEMPT_MS = 120_000

/**
 * Creates the client for a command.
 *
 * @param isWrite a write is retried until the command times out
 */
export async function connect(options: ConnectionOptions, output: Output, isWrite = false): Promise<Connection> {
  const { env, signal: stopSignal } = output.shell
  const profiles = needsNoProfile(options, env) ? {} : await readProfiles(env)
  const name = profileName(options, env)
  if (name !== DEFAULT_PROFILE && profiles[name] === undefined) {
    throw usageError(`${profilesFile(env)} has no profile “${name}”.`)
  }
  const settings = settingsFor(options, profiles, env)
  const { client_id: clientId, client_secret, client_secret_file, api_key, api_key_file, token_file } = settings
  const { timeout = ATTEMPT_MS } = options
  const time = timeOf(timeout, output)
  const signal = AbortSignal.any([time.signal, ...(stopSignal ? [stopSignal] : [])])
  const call = {
    baseUrl: addressOf(settings.url),
    signal,
    timeoutMs: ATTEMPT_MS,
    onAttempt: time.onAttempt,
    retry: {
      ...(isWrite && { attempts: Number.POSITIVE_INFINITY }),
      // As long as the service requests, if there is time for another attempt.
      longestWaitMs: time.left,
      onWait: time.onWait,
    },
  }
  const connectionWith = (tokens: TokenSource, isProgram: boolean): Connection => ({
    client: new CatalogClient({ ...call, tokens }),
    tokens,
    isProgram,
    clock: time.clock,
    signal,
  })
  if (clientId !== undefined && token_file !== undefined) {
    throw usageError(
      `The profile “${name}” has a client_id and a login, so it is not clear who calls. Remove one of them: ` +
        `dcs logout, or client_id in ${profilesFile(env)}.`,
    )
  }
  if (clientId === undefined) {
    if (token_file !== undefined) return connectionWith(await personToken(token_file), false)
    throw new CliError(EXIT.credentials, 'No credentials. Set DCS_CLIENT_ID, use a profile, or log in: dcs login.')
  }
  const clientSecret = await secretText('DCS_CLIENT_SECRET', client_secret, client_secret_file, output)
  const apiKey = await secretText('DCS_API_KEY', api_key, api_key_file, output)
  return connectionWith(clientCredentials({ ...call, clientId, clientSecret, apiKey }), true)
}
