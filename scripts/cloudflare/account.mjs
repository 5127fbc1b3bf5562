/** Calls of the API of Cloudflare: those that wrangler has no command for, and reads, for which it would start each time. */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfiguration } from '../configuration.mjs'
import { runWrangler } from '../wrangler.mjs'

const API = 'https://api.cloudflare.com/client/v4'

/** Attempts of a call that the API puts off, or that is lost on the way. It takes 1,200 calls in five minutes. */
const ATTEMPTS = 6
const CALL_MS = 600_000

/** Entries of one page of a list. */
const PAGE_SIZE = 100

/**
 * @typedef {object} Account
 * @property {string} id
 * @property {(path: string, init?: RequestInit) => Promise<Response>} fetch calls a path below that of the account
 * @property {(path: string, options?: { missing?: number, headers?: Record<string, string> }) => Promise<any>} get returns
 *   the `result`; undefined if the API answers with the code `missing`
 * @property {(path: string) => Promise<any[]>} list returns all pages of a list
 * @property {(name: string) => Promise<boolean>} hasDomain whether the token sees this domain in the account
 */

/** The errors in an answer, as one text, and their codes. */
async function errorsOf(response) {
  const text = await response.text()
  try {
    const { errors } = JSON.parse(text)
    if (errors.length > 0) {
      return {
        text: errors.map(({ code, message }) => `${message} (${code})`).join('; '),
        codes: errors.map(({ code }) => code),
      }
    }
  } catch {
    // A proxy on the way answers with other texts.
  }
  return { text: text.slice(0, 300), codes: [] }
}

/** @throws {Error} with what the API says; its `codes` are the API's */
export async function requireOk(response, what) {
  if (response.ok) return response
  const { text, codes } = await errorsOf(response)
  throw Object.assign(new Error(`Cloudflare answered ${response.status} to ${what}: ${text}`), { codes })
}

/** How long to wait before the next attempt, in milliseconds; undefined if there is none. */
function pauseAfter({ status, headers }, method, attempt) {
  const repeats = status === 429 || (status >= 500 && method !== 'POST')
  if (!repeats || attempt === ATTEMPTS) return undefined
  const seconds = headers.get('Retry-After')
  return 1000 * (seconds === null ? 2 ** attempt : Number(seconds))
}

async function send(url, init) {
  const { method = 'GET' } = init
  for (let attempt = 1; ; attempt++) {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(CALL_MS) }).catch((error) => {
      if (method !== 'POST' && attempt < ATTEMPTS) return undefined
      throw new Error(`Cloudflare's API cannot be reached: ${error.cause?.message ?? error.message}`, {
        cause: error,
      })
    })
    const pause = response ? pauseAfter(response, method, attempt) : 1000 * attempt
    if (response && pause === undefined) return response
    await response?.body?.cancel()
    await sleep(pause)
  }
}

/** The token that wrangler would use. */
async function tokenOf() {
  if (process.env.CLOUDFLARE_API_TOKEN) return process.env.CLOUDFLARE_API_TOKEN
  const { token } = JSON.parse(await runWrangler(['auth', 'token', '--json']))
  if (token) return token
  throw new Error('Set CLOUDFLARE_API_TOKEN, or log in with `npx wrangler login`.')
}

/** The account of CLOUDFLARE_ACCOUNT_ID or of `wrangler.toml`, else the only one that the token opens. */
async function accountIdOf(api, headers) {
  const named = process.env.CLOUDFLARE_ACCOUNT_ID ?? readConfiguration().account_id
  if (named) return named
  const response = await requireOk(await send(`${api}/accounts`, { headers }), 'the list of accounts')
  const { result } = await response.json()
  if (result.length === 1) return result[0].id
  const names = result.map(({ name, id }) => `${name} (${id})`).join(', ')
  throw new Error(`Set CLOUDFLARE_ACCOUNT_ID to one of your accounts: ${names || 'the token opens none'}.`)
}

/** @returns {Promise<Account>} */
async function open() {
  const api = process.env.CLOUDFLARE_API_BASE_URL ?? API
  const headers = { Authorization: `Bearer ${await tokenOf()}` }
  const id = await accountIdOf(api, headers)
  const call = (path, init = {}) =>
    send(`${api}/accounts/${id}${path}`, { ...init, headers: { ...headers, ...init.headers } })
  const get = async (path, { missing, headers } = /** @type {any} */ ({})) => {
    try {
      return (await (await requireOk(await call(path, { headers }), path)).json()).result
    } catch (error) {
      if (missing !== undefined && error.codes?.includes(missing)) return undefined
      throw error
    }
  }
  return {
    id,
    fetch: call,
    get,
    list: async (path) => {
      const all = []
      for (let page = 1; all.length === (page - 1) * PAGE_SIZE; page++)
        all.push(...(await get(`${path}?per_page=${PAGE_SIZE}&page=${page}`)))
      return all
    },
    hasDomain: async (name) => {
      const url = `${api}/zones?${new URLSearchParams({ name, 'account.id': id })}`
      const response = await requireOk(await send(url, { headers }), 'the domains')
      return (await response.json()).result.length > 0
    },
  }
}

let opened

/** The account, which is found once. @returns {Promise<Account>} */
export function account() {
  opened ??= open()
  return opened
}

/**
 * Runs a wrangler command on this account, which wrangler would otherwise look up each time.
 *
 * @param {string[]} words
 * @returns {Promise<string>} its standard output
 */
export const runOnAccount = async (words) => runWrangler(words, { CLOUDFLARE_ACCOUNT_ID: (await account()).id })
