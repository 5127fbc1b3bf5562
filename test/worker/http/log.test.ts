import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import { version } from '../../../package.json'
import { catalogOfEachTest } from '../../support/catalog'
import { createClient, requestToken } from '../../support/credentials'
import { bearer, bodyFrom, calling } from '../../support/service'
import { lostBefore, serviceWith } from '../storage/faulty-database'

const catalog = catalogOfEachTest()
let lines: string[]

beforeEach(async () => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

/** A service whose database always fails with this error. */
const lasting = (message?: string) => serviceWith(lostBefore(message))

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

describe('the log', () => {
  it('has one line for every request, with its route and its cost', async () => {
    const answer = await catalog.post(catalog.records(3))
    const { workspaceId: workspace, clientId: client, apiKeyId: key } = catalog.workspace
    const counts = { total: 3, inserted: 3, updated: 0, reactivated: 0, unchanged: 0, deactivated: 0 }
    const cost = ['ms', 'round_trips', 'database_ms', 'rows_read', 'rows_written', 'bytes'] as const
    const write = { outcome: 'written', type: 'medication', mode: 'upsert', dry_run: false, revision: 1, warnings: 0 }
    expect(logged()).toEqual([
      {
        ...{ workspace, client, key, request_id: answer.headers.get('X-Request-Id'), release: version },
        ...{ method: 'POST', route: '/admin/datasets/v1/', status: 200, ...write, ...counts },
        ...Object.fromEntries(cost.map((name) => [name, expect.any(Number)])),
      },
    ])
    expect(logged()[0]!.rows_written).toBeGreaterThanOrEqual(3)
  })

  it('contains the reason for a rejected write: the first error with code and field, or the figures', async () => {
    await catalog.write([catalog.record('a'), catalog.record('b'), catalog.record('c')])
    lines = []
    await catalog.post([catalog.record('x'), catalog.record('y', { sku: 7 })], { mode: 'reconcile' })
    await catalog.post([catalog.record('a')], { mode: 'reconcile' })
    await catalog.post([catalog.record('a')], { expected_revision: 7 })
    await catalog.post([catalog.record('a')], { dry_run: true })
    await catalog.post([catalog.record('a')])
    const common = { type: 'medication', bytes: expect.any(Number), client: catalog.workspace.clientId }
    const expected = [
      { status: 400, mode: 'reconcile', outcome: 'invalid', code: 'wrong_type', field: 'sku', index: 1 },
      { status: 409, mode: 'reconcile', outcome: 'shrink_guard', active_before: 3, would_deactivate: 2 },
      { status: 409, mode: 'upsert', outcome: 'stale', revision: 1, expected_revision: 7 },
      { status: 200, dry_run: true, outcome: 'ok', total: 1, updated: 1 },
      { status: 200, dry_run: false, outcome: 'unchanged', unchanged: 1 },
    ]
    expect(logged()).toMatchObject(expected.map((line) => ({ ...common, ...line })))
  })

  it('names the client of a token request with a wrong key, and never anything that may be a secret', async () => {
    const { client_id, client_secret } = await createClient()
    lines = []
    await requestToken({ clientId: client_id, clientSecret: client_secret, apiKey: 'dcs_key_wrong' })
    await requestToken({ clientId: client_secret, clientSecret: client_id, apiKey: 'dcs_key_wrong' })
    expect(logged()).toMatchObject([
      { status: 401, client: client_id, outcome: 'unauthorized', reason: expect.stringContaining('API key') },
      { status: 401, outcome: 'unauthorized', reason: expect.stringContaining('unknown client') },
    ])
    expect(lines.join()).not.toContain(client_secret)
    expect(lines.join()).not.toContain('dcs_key_wrong')
  })

  it('contains no secret and no catalog data', async () => {
    const record = catalog.record('private-id', { name: 'private name', refid: 'private refid' })
    await catalog.write([record])
    await catalog.list({ q: 'private' })
    await catalog.get('private-id')
    await catalog.export({ q: 'private' })
    await catalog.postCsv('id,name\nprivate-id,', {}, { 'Content-Disposition': 'x; filename=private.csv' })
    await catalog.postText('[{"private": }]')
    await catalog.send('GET', '/', { limit: 'private' })
    await catalog.through(lasting('D1_ERROR: private thing: SQLITE_ERROR')).send('GET', '/private-id/')
    expect(lines).toHaveLength(8)
    expect(lines.slice(0, 7).join()).not.toContain('private')
    expect(lines.join()).not.toContain(catalog.workspace.token.split('.')[2])
    expect(lines.join()).not.toContain('Bearer')
  })

  it('contains the location of an internal error and the message of the database, without values', async () => {
    const app = createApp()
    app.get('/fault', () => {
      throw new Error('first line\n    at secret line\nparams: secret', { cause: new Error('inner secret') })
    })
    const response = await calling(app)('/fault')
    expect(await bodyFrom(response, 500)).toEqual({ success: false, message: expect.not.stringContaining('secret') })
    expect(logged()).toMatchObject([{ route: null, status: 500, error: 'Error', stack: expect.any(Array) }])
    expect(lines.join()).not.toContain('secret')
    expect((logged()[0]!.stack as string[]).length).toBeGreaterThan(0)
  })

  it('contains the line of a streamed response after its end, with all rows that it read', async () => {
    await catalog.write(catalog.records(600))
    lines = []
    const headers = bearer(catalog.workspace.token)
    const response = await catalog.fetch('/admin/datasets/v1/?type=medication&format=csv', { headers })
    expect(lines).toEqual([])
    await response.text()
    expect(logged()).toMatchObject([{ status: 200, route: '/admin/datasets/v1/' }])
    expect(logged()[0]!.rows_read).toBeGreaterThanOrEqual(600)
  })
})
