import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { ServiceClient } from '#client/client'
import { CliError, EXIT, type ExitCode } from './exits'
import type { Output } from './output'
import {
  addressFor,
  type Connection,
  type ConnectionOptions,
  type Profiles,
  profileName,
  profilesFile,
  readProfiles,
  requireUsedLogin,
  type StoredLogin,
} from './settings'
import { type Shell, untilStopped } from './shell'
import { writeWhole } from './write-whole'

export interface LoginOptions extends ConnectionOptions {
  /** Required for members of several workspaces. */
  workspace?: string
}

/** How long a login may take, in milliseconds: the service's own limit. */
const LOGIN_MS = 10 * 60 * 1000

/** Access for the owner only. */
const PRIVATE = 0o600

const PRIVATE_FOLDER = 0o700

const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

const hasBrowser = (env: Shell['env']): boolean =>
  process.platform in OPENERS || Boolean(env.DISPLAY ?? env.WAYLAND_DISPLAY ?? env.BROWSER)

/** Opens the browser if there is one. The address is printed in any case. */
function openBrowser(address: string): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true })
  child.on('error', () => {})
  child.unref()
}

/** Waits for the code that the service sends to the loopback address. */
function codeFor(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    const onTimeout = () => reject(new CliError(EXIT.credentials, 'The login timed out after 10 minutes.'))
    const timer = setTimeout(onTimeout, LOGIN_MS)
    server.on('request', (request, response) => {
      const code = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams.get('code')
      // Browsers also request an icon.
      response.writeHead(code === null ? 404 : 200, { 'Content-Type': 'text/plain', Connection: 'close' })
      response.end(code === null ? 'Nothing here.' : 'You are logged in. You can close this page.')
      if (code === null) return
      clearTimeout(timer)
      resolve(code)
    })
  })
}

const writeProfiles = (profiles: Profiles, env: Shell['env']): Promise<void> =>
  writeWhole(profilesFile(env), `${JSON.stringify(profiles, null, 2)}\n`, PRIVATE)

/** Logs the user in with the browser, and stores the access token, which is valid for an hour. */
export async function login(options: LoginOptions, output: Output): Promise<ExitCode> {
  const { env } = output.shell
  const profiles = await readProfiles(env)
  const name = profileName(options, env)
  const baseUrl = addressFor(options, profiles, env)
  requireUsedLogin(options, profiles, env)
  const verifier = randomBytes(32).toString('base64url')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  try {
    const query = new URLSearchParams({
      return_to: `http://127.0.0.1:${port}/`,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    })
    const address = `${baseUrl}/api/v1/auth/oidc/login?${query}`
    output.say(`Log in with your browser: ${address}`)
    if (!hasBrowser(env))
      output.say(
        'This machine seems to have no browser, and the login must return to it (127.0.0.1:' +
          `${port}). Without a browser, use client credentials: DCS_CLIENT_ID, ` +
          'DCS_CLIENT_SECRET_FILE and DCS_API_KEY_FILE.',
      )
    else if (output.shell.stderr.isTTY) openBrowser(address)
    const code = await untilStopped(codeFor(server), output.shell.signal)
    const { access_token, expires_in, scope } = await new ServiceClient({ baseUrl }).post(
      '/api/v1/auth/session/token',
      {
        body: {
          code,
          code_verifier: verifier,
          ...(options.workspace !== undefined && { workspace_id: options.workspace }),
        },
      },
    )
    const folder = path.dirname(profilesFile(env))
    await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
    const token_file = path.join(folder, `${name}.token`)
    const storedLogin: StoredLogin = { access_token, expires_at: Date.now() + expires_in * 1000 }
    await writeWhole(token_file, JSON.stringify(storedLogin), PRIVATE)
    await writeProfiles({ ...profiles, [name]: { ...profiles[name], url: baseUrl, token_file } }, env)
    await chmod(token_file, PRIVATE)
    const text = `Logged in for ${Math.round(expires_in / 60)} minutes: ${scope}.`
    return await output.result(text, { exit: EXIT.done, profile: name, scope })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

/** Deletes the login of a profile. The access token expires by itself. */
export async function logout(options: ConnectionOptions, output: Output): Promise<ExitCode> {
  const { env } = output.shell
  const name = profileName(options, env)
  const profiles = await readProfiles(env)
  const { token_file, ...profile } = profiles[name] ?? {}
  if (token_file !== undefined) {
    await rm(path.resolve(path.dirname(profilesFile(env)), token_file), { force: true })
    await writeProfiles({ ...profiles, [name]: profile }, env)
  }
  const text = token_file === undefined ? 'No one was logged in.' : 'Logged out.'
  return output.result(text, { exit: EXIT.done, profile: name })
}

/** The claims about the owner of an access token. */
interface Claims {
  sub: string
  client_id?: string
  workspace_id: string
  scope: string
  exp: number
}

/** Prints who is logged in, with which permissions. */
export async function whoami({ client, tokens }: Connection, output: Output): Promise<ExitCode> {
  const [, payload = ''] = (await tokens.token()).split('.')
  const { sub, client_id, workspace_id, scope, exp }: Claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  const until = new Date(exp * 1000).toISOString()
  const who = client_id ?? sub
  const text = `${who} in the workspace ${workspace_id} of ${client.baseUrl}, until ${until}: ${scope}`
  return output.result(text, { exit: EXIT.done, who, workspace_id, scope, url: client.baseUrl, until })
}
