import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CatalogClient } from '#client/catalog-client'
import { clientCredentials } from '#client/credentials'
import type { TokenSource } from '#client/token-source'
import { CliError, EXIT, usageError } from './exits'
import type { Output } from './output'
import type { Shell } from './shell'

export interface ConnectionOptions {
  url?: string
  profile?: string
  /** For everything together, in milliseconds. */
  timeout?: number
}

/** How a service is reached. Secrets are in files of their own, whose paths are relative to the profiles. */
interface Profile {
  url?: string
  client_id?: string
  client_secret_file?: string
  api_key_file?: string
  /** The access token of a person, from `dcs login`. */
  token_file?: string
}

export interface StoredLogin {
  access_token: string
  /** Milliseconds since 1970. */
  expires_at: number
}

type Profiles = Readonly<Record<string, Profile>>

const DEFAULT_PROFILE = 'default'

/** Where profiles are: `DCS_CONFIG`, else in the folder that the system has for settings. */
export function profilesFile(env: Shell['env']): string {
  const folder = env.XDG_CONFIG_HOME ?? env.APPDATA ?? path.join(env.HOME ?? homedir(), '.config')
  return env.DCS_CONFIG ?? path.join(folder, 'dcs', 'profiles.json')
}

const isNoSuchFile = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

export async function readProfiles(env: Shell['env']): Promise<Profiles> {
  const file = profilesFile(env)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (isNoSuchFile(error)) return {}
    if (error instanceof SyntaxError) throw usageError(`${file} is not JSON: ${error.message}`)
    throw error
  }
}

/** The profile that is meant, named or not. */
export const profileName = ({ profile }: ConnectionOptions, env: Shell['env']): string =>
  profile ?? env.DCS_PROFILE ?? DEFAULT_PROFILE

async function profileOf(options: ConnectionOptions, env: Shell['env']): Promise<Profile> {
  const file = profilesFile(env)
  const name = profileName(options, env)
  const found = (await readProfiles(env))[name]
  if (found === undefined && (options.profile ?? env.DCS_PROFILE) !== undefined) {
    throw usageError(`${file} has no profile “${name}”.`)
  }
  return found ?? {}
}

/** Variables of the environment, by what they are in a profile. */
const VARIABLES = {
  url: 'DCS_URL',
  client_id: 'DCS_CLIENT_ID',
  client_secret_file: 'DCS_CLIENT_SECRET_FILE',
  api_key_file: 'DCS_API_KEY_FILE',
} as const satisfies Profile

/** What the environment says. An empty variable counts as none. */
const environmentOf = (env: Shell['env']): Profile =>
  Object.fromEntries(
    Object.entries(VARIABLES).flatMap(([name, variable]) => (env[variable] ? [[name, env[variable]]] : [])),
  )

/** What counts for a command: a profile that an option names before the environment, any other one after it. */
function settingsFor(options: ConnectionOptions, given: Profile, env: Shell['env']): Profile {
  const folder = path.dirname(profilesFile(env))
  const profile: Profile = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, name.endsWith('_file') ? path.resolve(folder, value) : value]),
  )
  const { client_id, ...others } = environmentOf(env)
  // Who calls never comes from two places.
  const isLogin = options.profile !== undefined && profile.token_file !== undefined
  const environment = isLogin || client_id === undefined ? others : { client_id, ...others }
  return {
    ...(options.profile === undefined ? { ...profile, ...environment } : { ...environment, ...profile }),
    ...(options.url !== undefined && { url: options.url }),
  }
}

/** Nobody but the owner of a file with a secret should be able to read it. */
const RIGHTS_OF_OTHERS = 0o077

/** @param value of the environment; undefined if a named profile counts before it */
async function secretOf(
  name: string,
  value: string | undefined,
  file: string | undefined,
  output: Output,
): Promise<string> {
  if (value) return value
  if (file === undefined) {
    throw new CliError(EXIT.credentials, `Set ${name} or ${name}_FILE, or name a profile that has it.`)
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CliError(EXIT.credentials, `${file} cannot be read: ${String(error)}`)
  })
  if (process.platform !== 'win32' && ((await stat(file)).mode & RIGHTS_OF_OTHERS) !== 0) {
    output.note(`${file} can be read by others: chmod 600 ${file}`)
  }
  return text.trim()
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** @throws CliError for what is no address, and for one that would send secrets unencrypted */
function addressOf(text: string | undefined): string {
  if (text === undefined) throw usageError('Say where the service is: --url, DCS_URL, or a profile.')
  const { protocol, hostname } = URL.canParse(text) ? new URL(text) : { protocol: '', hostname: '' }
  if (protocol !== 'http:' && protocol !== 'https:')
    throw usageError(`“${text}” is no address, such as https://catalog.example.`)
  if (protocol === 'http:' && !LOOPBACK.includes(hostname)) {
    throw usageError(`${text} would send the secrets unencrypted. Use https.`)
  }
  return text.replace(/\/$/, '')
}

/** Where the service is. */
export const addressFor = (options: ConnectionOptions, profile: Profile, env: Shell['env']): string =>
  addressOf(settingsFor(options, profile, env).url)

const loginAgain = (): CliError => new CliError(EXIT.credentials, 'The login has ended. Log in again: dcs login.')

/** The token of a person who has logged in. @throws CliError 5 when it has ended */
async function personsToken(file: string): Promise<TokenSource> {
  const { access_token, expires_at }: StoredLogin = JSON.parse(
    await readFile(file, 'utf8').catch(() => {
      throw loginAgain()
    }),
  )
  if (expires_at <= Date.now()) throw loginAgain()
  return { token: async () => access_token, renew: () => Promise.reject(loginAgain()) }
}

export interface Connection {
  client: CatalogClient
  tokens: TokenSource
  /** Ends with the command's time, or with the process. */
  signal: AbortSignal
}

/** When the time of a command is over. */
function deadline(timeout: number): AbortSignal {
  const controller = new AbortController()
  const late = () =>
    controller.abort(new CliError(EXIT.unreachable, `The time of ${timeout / 1000} seconds is over (--timeout).`))
  setTimeout(late, timeout).unref()
  return controller.signal
}

/** Longest time of one attempt, in milliseconds: the service answers within 29 seconds, a slow line takes longer. */
const ATTEMPT_MS = 120_000

/**
 * The client for a command.
 *
 * @param isWrite a write is repeated until its time is over
 */
export async function connect(options: ConnectionOptions, output: Output, isWrite = false): Promise<Connection> {
  const { env, signal: stopped } = output.shell
  const { url, client_id: clientId, token_file, ...files } = settingsFor(options, await profileOf(options, env), env)
  const { timeout = ATTEMPT_MS } = options
  const signal = AbortSignal.any([deadline(timeout), ...(stopped ? [stopped] : [])])
  const call = {
    baseUrl: addressOf(url),
    signal,
    timeoutMs: ATTEMPT_MS,
    onAttempt: output.attempt,
    ...(isWrite && { retry: { attempts: Number.POSITIVE_INFINITY, longestWaitMs: timeout } }),
  }
  const made = (tokens: TokenSource) => ({ client: new CatalogClient({ ...call, tokens }), tokens, signal })
  if (clientId === undefined && token_file !== undefined) return made(await personsToken(token_file))
  if (clientId === undefined) {
    throw new CliError(EXIT.credentials, 'Set DCS_CLIENT_ID, name a profile that has it, or log in: dcs login.')
  }
  const isNamed = options.profile !== undefined
  const secret = (name: string, file: string | undefined) =>
    secretOf(name, isNamed && file !== undefined ? undefined : env[name], file, output)
  const clientSecret = await secret('DCS_CLIENT_SECRET', files.client_secret_file)
  const apiKey = await secret('DCS_API_KEY', files.api_key_file)
  return made(clientCredentials({ ...call, clientId, clientSecret, apiKey }))
}
