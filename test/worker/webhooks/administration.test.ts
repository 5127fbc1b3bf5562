import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { masterKeysOf } from '#worker/crypto/master-keys'
import { unseal } from '#worker/crypto/seal'
import { secretContext } from '#worker/webhooks/make-attempt'
import type { NewSecret, Webhook, WebhookSecret } from '#worker/webhooks/schemas'
import { callOperator } from '../../support/credentials'
import { execute, rowsIn } from '../../support/databases'
import { answering, OK, receiving, verified } from '../../support/receivers'
import { bodyFrom, calling } from '../../support/service'
import { ADMINISTRATORS, type Administrator, newAdmin, newOperator } from '../workspace/administrators'

const PATH = '/webhooks'
const URL = 'https://hooks.example/in'

const create = (administrator: Administrator, body: object = { url: URL }): Promise<WebhookSecret> =>
  administrator.dataOf(PATH, body)

/** A webhook of a new workspace, and the operator. */
async function newHook() {
  const administrator = await newOperator()
  return { administrator, ...(await create(administrator)) }
}

const listed = async (administrator: Administrator): Promise<Webhook[]> =>
  (await administrator.dataOf<{ items: Webhook[] }>(PATH)).items

const post = <T>(administrator: Administrator, id: string, verb: string): Promise<T> =>
  administrator.dataOf(`${PATH}/${id}/${verb}`, {})

describe('webhooks', () => {
  it.each(ADMINISTRATORS)('are created by %s with a secret that is shown once, stored encrypted', async (_, open) => {
    const administrator = await open()
    const { webhook_id, secret, ...rest } = await create(administrator)
    expect(rest).toEqual({ url: URL, events: ['catalog.changed', 'sync.late', 'sync.refused', 'sync.recovered'] })
    const sealed = await env.DB.prepare('select sealed_secret from webhooks').first<string>('sealed_secret')
    expect(sealed).not.toContain(secret)
    expect(await unseal(await masterKeysOf(env), secretContext(webhook_id), sealed ?? '')).toBe(secret)
    const made = { webhook_id, ...rest, created_by: expect.any(String), created_at: expect.any(String) }
    const state = { last_status: null, last_attempt_at: null, deliveries: [], failing_since: null, disabled: false }
    expect(await listed(administrator)).toEqual([{ ...made, ...state }])
  })

  it('reject wrong events and addresses', async () => {
    const administrator = await newAdmin()
    for (const events of [[], ['test'], ['sync.late', 'sync.late'], 'sync.late']) {
      expect((await administrator.call(PATH, { url: URL, events })).status).toBe(400)
    }
    expect((await administrator.call(PATH, {})).status).toBe(400)
    expect(await listed(administrator)).toEqual([])
  })

  it('are limited to five per workspace, and deleted with their pending messages', async () => {
    const { administrator, webhook_id } = await newHook()
    await create(await newAdmin())
    await execute(
      "insert into webhook_messages select workspace_id, webhook_id, 't', 'm', 'test', '{}', 0, 0, null, 0 from webhooks",
    )
    for (let n = 0; n < 4; n++) await create(administrator)
    expect((await administrator.call(PATH, { url: URL })).status).toBe(409)
    expect(await administrator.dataOf(`${PATH}/${webhook_id}`, undefined, 'DELETE')).toEqual({ deleted: true })
    expect(await rowsIn('DB', 'webhook_messages')).toBe(1)
    expect((await administrator.call(`${PATH}/${webhook_id}`, undefined, 'DELETE')).status).toBe(404)
    await create(administrator)
  })

  it('of another workspace return 404, and stay unchanged', async () => {
    const [administrator, other] = [await newAdmin(), await newAdmin()]
    const { webhook_id } = await create(other)
    receiving()
    expect((await administrator.call(`${PATH}/${webhook_id}`, undefined, 'DELETE')).status).toBe(404)
    for (const verb of ['test', 'rotate', 'enable']) {
      expect((await administrator.call(`${PATH}/${webhook_id}/${verb}`, {})).status).toBe(404)
    }
    expect(fetch).not.toHaveBeenCalled()
    expect(await listed(other)).toMatchObject([{ webhook_id, last_attempt_at: null }])
  })
})

/** @returns undefined if it throws */
function attempt<T>(call: () => T): T | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

describe('POST …/webhooks/{webhook_id}/test', () => {
  it('is sent one at a time to a webhook, unless the previous one was interrupted or not signed', async () => {
    const { administrator, webhook_id } = await newHook()
    const other = await create(administrator)
    const { promise: answer, resolve } = Promise.withResolvers<Response>()
    const received = receiving(() => answer)
    const first = administrator.call(`${PATH}/${webhook_id}/test`, {})
    await vi.waitFor(() => expect(received).toHaveLength(1))
    const refused = await administrator.call(`${PATH}/${webhook_id}/test`, {})
    expect(refused.status).toBe(429)
    const seconds = Number(refused.headers.get('Retry-After'))
    expect(seconds).toBeGreaterThan(0)
    expect(seconds).toBeLessThanOrEqual(20)
    expect(await refused.json()).toMatchObject({ message: 'Another test of this webhook is still running.' })
    resolve(new Response(null, { status: 204 }))
    expect((await first).status).toBe(200)
    receiving(OK)
    expect(await post(administrator, webhook_id, 'test')).toEqual({ status: 204 })
    expect(await post(administrator, other.webhook_id, 'test')).toEqual({ status: 204 })
    const secret = await env.DB.prepare('select sealed_secret from webhooks where webhook_id = ?')
      .bind(webhook_id)
      .first('sealed_secret')
    for (const [column, value, status] of [
      ['testing_until', Date.now() + 5000, 429],
      ['testing_until', Date.now() - 1, 200],
      ['sealed_secret', 'unknown.key', 500],
      ['sealed_secret', secret, 200],
    ] as const) {
      await execute(`update webhooks set ${column} = ? where webhook_id = ?`, value, webhook_id)
      expect((await administrator.call(`${PATH}/${webhook_id}/test`, {})).status).toBe(status)
    }
  })

  it('is sent ten times a minute per workspace, whatever webhooks are deleted in the meantime', async () => {
    const [administrator, neighbour] = [await newAdmin(), await newAdmin()]
    const received = receiving(OK)
    for (let n = 0; n < 10; n++) {
      const { webhook_id } = await create(administrator)
      await post(administrator, webhook_id, 'test')
      await administrator.dataOf(`${PATH}/${webhook_id}`, undefined, 'DELETE')
    }
    const { webhook_id } = await create(administrator)
    for (const _ of [1, 2]) {
      const refused = await administrator.call(`${PATH}/${webhook_id}/test`, {})
      expect(refused.status).toBe(429)
      const seconds = Number(refused.headers.get('Retry-After'))
      expect(seconds).toBeGreaterThan(40)
      expect(seconds).toBeLessThanOrEqual(60)
      expect(await refused.json()).toMatchObject({ message: 'A workspace may send 10 tests in a minute.' })
    }
    expect(received).toHaveLength(10)
    await post(neighbour, (await create(neighbour)).webhook_id, 'test')
    await execute("update workspaces set webhook_tests = json_set(webhook_tests, '$[0]', ?)", Date.now() - 60_000)
    await post(administrator, webhook_id, 'test')
    expect((await administrator.call(`${PATH}/${webhook_id}/test`, {})).status).toBe(429)
  })

  it('sends a signed test immediately and returns the status', async () => {
    const { administrator, webhook_id, secret } = await newHook()
    const gone = () => Promise.reject(new TypeError('Network connection lost.'))
    for (const status of [204, 302, 500, null, 410, 200]) {
      const disabled = status === 410 || status === 200
      const received = receiving(status === null ? gone : answering(status))
      expect(await post(administrator, webhook_id, 'test')).toEqual({ status })
      expect(received).toMatchObject([{ url: URL, type: 'test', data: {} }])
      expect(verified(secret, received[0]!)).toMatchObject({ type: 'test' })
      expect(await listed(administrator)).toMatchObject([{ last_status: status, disabled }])
    }
    const enabled = { disabled: false, failing_since: null }
    expect(await post(administrator, webhook_id, 'enable')).toMatchObject(enabled)
  })

  it('does not send to an address that the present configuration would reject', async () => {
    const administrator = await newAdmin()
    const { webhook_id } = await create(administrator, { url: 'http://localhost:9999/' })
    receiving()
    const abroad = calling(undefined, { ...env, ISSUER: 'https://catalog.example' })
    const base = `/workspaces/${administrator.workspaceId}/webhooks`
    const answer = await callOperator(`${base}/${webhook_id}/test`, undefined, 'POST', abroad)
    expect(await answer.json()).toMatchObject({ data: { status: null } })
    expect(fetch).not.toHaveBeenCalled()
    const refused = await callOperator(base, { url: 'http://localhost:9999/' }, 'POST', abroad)
    expect(await bodyFrom(refused, 400)).toMatchObject({ errors: [{ field: 'url', code: 'not_allowed' }] })
  })
})

describe('POST …/webhooks/{webhook_id}/rotate', () => {
  it('returns a new secret, and for a day messages contain the signatures of both', async () => {
    const { administrator, webhook_id, secret: first } = await newHook()
    const rotate = () => post<NewSecret>(administrator, webhook_id, 'rotate')
    const received = receiving()
    const takenBy = async (...secrets: string[]) => {
      await post(administrator, webhook_id, 'test')
      return secrets.map((secret) => attempt(() => verified(secret, received.at(-1)!)) !== undefined)
    }
    const { secret: second, previous_until } = await rotate()
    expect(Date.parse(previous_until) - Date.now()).toBeGreaterThan(24 * 3600 * 1000 - 60_000)
    expect(await takenBy(first, second)).toEqual([true, true])
    const { secret: third } = await rotate()
    expect(await takenBy(first, second, third)).toEqual([false, true, true])
    await execute('update webhooks set previous_until = ?', Date.now())
    expect(await takenBy(second, third)).toEqual([false, true])
  })
})

it('webhooks are only changed by current admins, even if another isolate has newer data', async () => {
  const admins = [await newAdmin()]
  const { workspaceId } = admins[0]!
  const { webhook_id } = await create(admins[0]!)
  for (let n = 1; n < 5; n++) admins.push(await newAdmin(workspaceId, `${n}@clinic.example`))
  for (const admin of admins) await listed(admin)
  await execute("update members set role = 'editor'")
  receiving()
  const path = `${PATH}/${webhook_id}`
  const requests: Parameters<Administrator['call']>[] = [
    [PATH, { url: URL }],
    [path, undefined, 'DELETE'],
    [`${path}/test`, {}],
    [`${path}/rotate`, {}],
    [`${path}/enable`, {}],
  ]
  for (const [n, admin] of admins.entries()) expect((await admin.call(...requests[n]!)).status).toBe(403)
  expect(fetch).not.toHaveBeenCalled()
  expect(await listed(await newOperator(workspaceId))).toHaveLength(1)
})
