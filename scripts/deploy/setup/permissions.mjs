/** What the account and the token must allow before anything is made. Nothing here changes the account. */
import { account, requireOk } from '../../cloudflare/account.mjs'

/** The API's code for an account that has no workers.dev subdomain. */
const NO_SUBDOMAIN = 10007

/** Calls that make something. Each is sent without what it needs, so the API refuses it for that, or for the token. */
const WRITES = [
  { path: '/d1/database', permission: 'D1: Edit' },
  { path: '/storage/kv/namespaces', permission: 'Workers KV Storage: Edit' },
  { path: '/r2/buckets', permission: 'Workers R2 Storage: Edit' },
]

/** @returns {Promise<string[]>} the permissions that the token lacks */
async function missingPermissions(worker) {
  const { fetch } = await account()
  const writes = [...WRITES, { path: `/workers/scripts/${worker}/versions`, permission: 'Workers Scripts: Edit' }]
  const answers = await Promise.all(
    writes.map(async ({ path, permission }) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
      const response = await fetch(path, init)
      await response.body?.cancel()
      return response.status === 401 || response.status === 403 ? [permission] : []
    }),
  )
  return answers.flat()
}

/** @throws {Error} when the token may not write */
export async function requirePermissions(worker) {
  const missing = await missingPermissions(worker)
  if (missing.length === 0) return
  throw new Error(
    `The token may not write: it lacks the permissions ${missing.join(', ')}, or is wrong. Nothing was changed. ` +
      'docs/deploying.md lists those that it needs.',
  )
}

/** The platform takes no first Worker in an account without one (10063), although this service does not use it. */
export async function requireSubdomain() {
  const { id, fetch } = await account()
  try {
    await requireOk(await fetch('/workers/subdomain'), 'the workers.dev subdomain')
  } catch (error) {
    if (!error.codes?.includes(NO_SUBDOMAIN)) throw error
    throw new Error(
      'The account has no workers.dev subdomain, and the platform takes no Worker without one. Nothing was changed. ' +
        `Open https://dash.cloudflare.com/${id}/workers/onboarding once, then call this again.`,
    )
  }
}
