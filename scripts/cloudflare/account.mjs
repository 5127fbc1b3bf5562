/**
 * Cloudflare's API: requests for which wrangler has no command, and reads, for which starting wrangler takes too long.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfiguration } from '../configuration.mjs'
import { runWrangler } from '../wrangler.mjs'

const API = 'https://api.cloudflare.com/client/v4'

/**
 * Attempts of a request that the API defers, or whose response is lost. The API accepts 1,200 requests in five minutes.
 */
const ATTEMPTS = 6
const CALL_MS = 600_000

/** The API's codes for missing resources. */
export const MISSING = { worker: 10007, subdomain: 10007, bucket: 10006 }

/** Page size of a list. */
const PAGE_SIZE = 100

/** The token that wrangler would use. */
async function findToken() {
  if (process.env.CLOUDFLARE_API_TOKEN) return process.env.CLOUDFLARE_API_TOKEN
  const { token } = JSON.parse(await runWrangler(['auth', 'token', '--json']))
  if (token) return token
  throw new Error('Set CLOUDFLARE_API_TOKEN, or log in with `npx wrangler login`.')
}

let token

/** Repeats a request if the API defers it. Without a response, repeats it unless it creates something. */
async function call(path, init = {}, mayRepeat = init.method !== 'POST') {
  token ??= findToken()
  const url = `${process.env.CLOUDFLARE_API_BASE_URL ?? API}${path}`
  const headers = { Authorization: `Bearer ${await token}`, ...init.headers }
  for (let attempt = 1; ; attempt++) {
    const isLast = attempt === ATTEMPTS
    const signal = AbortSignal.timeout(CALL_MS)
    const response = await fetch(url, { ...init, headers, signal }).catch((cause) => {
      if (mayRepeat && !isLast) return undefined
      throw new Error(`Cloudflare's API cannot be reached: ${cause.cause?.message ?? cause.message}`, { cause })
    })
    const { status = 500 } = response ?? {}
    if (isLast || !(status === 429 || (status >= 500 && mayRepeat))) return response
    await response?.body?.cancel()
    // It may be 0, or a date instead of a number.
    await sleep(1000 * Math.max(1, Number(response?.headers.get('Retry-After')) || 2 ** attempt))
  }
}

/** @throws {Error} with the API's message; its `codes` are the API's */
export async function requireOk(response, what) {
  if (response.ok) return response
  const body = await response.text()
  let errors = []
  try {
    errors = JSON.parse(body).errors ?? []
  } catch {
    // A proxy in between returns other texts.
  }
  const message = errors.map((each) => `${each.message} (${each.code})`).join('; ') || body.slice(0, 300)
  const codes = errors.map(({ code }) => code)
  throw Object.assign(new Error(`Cloudflare answered ${response.status} to ${what}: ${message}`), { codes })
}

const resultOf = async (response, what) => (await (await requireOk(response, what)).json()).result

/** The account of CLOUDFLARE_ACCOUNT_ID or of `wrangler.toml`, else the only account that the token can access. */
async function findAccount() {
  const named = process.env.CLOUDFLARE_ACCOUNT_ID ?? readConfiguration().account_id
  if (named) return named
  const accounts = await resultOf(await call('/accounts'), 'the list of accounts')
  if (accounts.length === 1) return accounts[0].id
  const names = accounts.map(({ name, id }) => `${name} (${id})`).join(', ')
  throw new Error(`Set CLOUDFLARE_ACCOUNT_ID to one of your accounts: ${names || 'the token opens none'}.`)
}

let account

/** @returns {Promise<string>} */
export function accountId() {
  account ??= findAccount()
  return account
}

/**
 * @param {string} path below the account's path
 * @param {RequestInit} [init]
 * @param {boolean} [mayRepeat] whether to repeat it without a response; by default unless it is a POST
 * @returns {Promise<Response>} of any status
 */
export const callAccount = async (path, init, mayRepeat) =>
  call(`/accounts/${await accountId()}${path}`, init, mayRepeat)

/**
 * @param {string} method
 * @param {string} path below the account's path
 * @param {{ body?: unknown, headers?: Record<string, string> }} [options]
 * @returns {Promise<any>} the result
 */
export async function changeAccount(method, path, { body, headers } = {}) {
  const type = { ...headers, 'Content-Type': 'application/json' }
  const init = body === undefined ? { method, headers } : { method, headers: type, body: JSON.stringify(body) }
  return resultOf(await callAccount(path, init), `${method} ${path}`)
}

/**
 * @param {string} path below the account's path
 * @param {{ missing?: number, headers?: Record<string, string> }} [options]
 * @returns {Promise<any>} undefined if the API returns the code `missing`
 */
export async function readAccount(path, { missing, headers } = {}) {
  try {
    return await resultOf(await callAccount(path, { headers }), path)
  } catch (error) {
    if (missing !== undefined && error.codes?.includes(missing)) return undefined
    throw error
  }
}

/** All pages of a list. @param {string} path below the account's path @returns {Promise<any[]>} */
export async function listAccount(path) {
  const all = []
  for (let page = 1; all.length === (page - 1) * PAGE_SIZE; page++)
    all.push(...(await readAccount(`${path}?per_page=${PAGE_SIZE}&page=${page}`)))
  return all
}

/** Whether the token can see a domain in the account. */
export async function hasDomain(name) {
  const query = new URLSearchParams({ name, 'account.id': await accountId() })
  return (await resultOf(await call(`/zones?${query}`), 'the domains')).length > 0
}

/**
 * Runs a wrangler command with this account, so that wrangler does not look it up each time.
 *
 * @returns {Promise<string>} its standard output
 */
export const runOnAccount = async (words) => runWrangler(words, { CLOUDFLARE_ACCOUNT_ID: await accountId() })
