import { readFile, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import { CatalogClient } from '#client/catalog-client'
import { clientCredentials } from '#client/credentials'
import type { TokenSource } from '#client/token-source'
import { CommandEnd, EXIT, wrongUse } from './exits'
import type { Output } from './output'
import type { Shell } from './shell'

export interface ConnectionOptions {
  url?: string
  profile?: string
}

/** How a service is reached. Secrets are in files of their own. */
export interface Profile {
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

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

export async function readProfiles(env: Shell['env']): Promise<Profiles> {
  const file = profilesFile(env)
  try {
    return JSON.parse(await readFile(file, 'utf8'))
  } catch (error) {
    if (isMissing(error)) return {}
    if (error instanceof SyntaxError) throw wrongUse(`${file} is not JSON: ${error.message}`)
    throw error
  }
}

/** The profile that is meant, named or not. */
export const profileName = ({ profile }: ConnectionOptions, env: Shell['env']): string =>
  profile ?? env.DCS_PROFILE ?? DEFAULT_PROFILE

async function profileOf(name: string | undefined, env: Shell['env']): Promise<Profile> {
  const profiles = await readProfiles(env)
  const found = profiles[name ?? DEFAULT_PROFILE]
  if (found === undefined && name !== undefined) {
    throw wrongUse(`${profilesFile(env)} has no profile “${name}”.`)
  }
  return found ?? {}
}

/** Nobody but the owner of a file with a secret should be able to read it. */
const OTHERS = 0o077

/** A secret from the environment, from the file that the environment names, or from the file that the profile names. */
async function secretOf(name: string, ofProfile: string | undefined, output: Output): Promise<string> {
  const { env } = output.shell
  const value = env[name]
  if (value !== undefined && value !== '') return value
  const file = env[`${name}_FILE`] ?? ofProfile
  if (file === undefined) {
    throw new CommandEnd(EXIT.credentials, `Set ${name} or ${name}_FILE, or name a profile that has it.`)
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new CommandEnd(EXIT.credentials, `${file} cannot be read: ${String(error)}`)
  })
  if (process.platform !== 'win32' && ((await stat(file)).mode & OTHERS) !== 0) {
    output.note(`${file} can be read by others: chmod 600 ${file}`)
  }
  return text.trim()
}

const LOOPBACK: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

/** @throws CommandEnd for what is no address, and for one that would send secrets unencrypted */
function addressOf(text: string | undefined): string {
  if (text === undefined) throw wrongUse('Say where the service is: --url, DCS_URL, or a profile.')
  if (!URL.canParse(text)) throw wrongUse(`“${text}” is no address, such as https://catalog.example.`)
  const { protocol, hostname } = new URL(text)
  if (protocol === 'http:' && !LOOPBACK.includes(hostname)) {
    throw wrongUse(`${text} would send the secrets unencrypted. Use https.`)
  }
  return text.replace(/\/$/, '')
}

/** Where the service is: options before the environment before the profile. */
export const addressFrom = (options: ConnectionOptions, profile: Profile, env: Shell['env']): string =>
  addressOf(options.url ?? env.DCS_URL ?? profile.url)

const loginAgain = (): CommandEnd =>
  new CommandEnd(EXIT.credentials, 'The login has ended. Log in again: dcs login.')

/** The token of a person who has logged in. @throws CommandEnd 5 when it has ended */
async function personsToken(file: string): Promise<TokenSource> {
  const { access_token, expires_at }: StoredLogin = JSON.parse(await readFile(file, 'utf8'))
  if (expires_at <= Date.now()) throw loginAgain()
  return { token: async () => access_token, renew: () => Promise.reject(loginAgain()) }
}

/** The client for a command: options before the environment before the profile. */
export async function connect(options: ConnectionOptions, output: Output): Promise<CatalogClient> {
  const { env } = output.shell
  const profile = await profileOf(options.profile ?? env.DCS_PROFILE, env)
  const baseUrl = addressFrom(options, profile, env)
  const clientId = env.DCS_CLIENT_ID ?? profile.client_id
  if (clientId === undefined && profile.token_file !== undefined) {
    return new CatalogClient({ baseUrl, tokens: await personsToken(profile.token_file) })
  }
  if (clientId === undefined) {
    throw new CommandEnd(
      EXIT.credentials,
      'Set DCS_CLIENT_ID, name a profile that has it, or log in: dcs login.',
    )
  }
  const credentials = {
    baseUrl,
    clientId,
    clientSecret: await secretOf('DCS_CLIENT_SECRET', profile.client_secret_file, output),
    apiKey: await secretOf('DCS_API_KEY', profile.api_key_file, output),
  }
  return new CatalogClient({ baseUrl, tokens: clientCredentials(credentials) })
}
