import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '#app'
import { failing, faultyDatabase, lostBefore } from '../storage/faulty-database'
import { csvBody, newCatalog, type TestCatalog } from '../support/catalog'
import { calling } from '../support/service'

let catalog: TestCatalog
let lines: string[]

beforeEach(async () => {
  catalog = await newCatalog()
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  vi.spyOn(Math, 'random').mockReturnValue(0)
})

afterEach(() => vi.restoreAllMocks())

const logged = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>)

const LINE = {
  request_id: expect.stringMatching(/^[\w.-]+$/),
  workspace: expect.any(String),
  method: 'POST',
  route: '/admin/datasets/v1/',
  status: 200,
  ms: expect.any(Number),
  round_trips: expect.any(Number),
  database_ms: expect.any(Number),
  rows_read: expect.any(Number),
  rows_written: expect.any(Number),
}

describe('the log', () => {
  it('has one line for every request, with its route and its cost', async () => {
    const answer = await catalog.post(catalog.records(3))
    expect(logged()).toEqual([
      { ...LINE, workspace: catalog.workspace.workspaceId, request_id: answer.headers.get('X-Request-Id') },
    ])
    expect(logged()[0]!.rows_written).toBeGreaterThanOrEqual(3)
    lines = []
    await catalog.get('r1')
    expect(logged()).toEqual(
      [{ ...LINE, method: 'GET', route: '/admin/datasets/v1/{entity_id}/' }].map((line) =>
        expect.objectContaining(line),
      ),
    )
  })

  it('names a refusal by its code, without the refused value', async () => {
    await catalog.post([{ medication_id: 'secret-id', name: 7 }])
    await catalog.send('GET', '/secret-id/')
    await catalog.send('GET', '/', { limit: 'secret-limit' })
    expect(logged().map(({ status, error }) => [status, error])).toEqual([
      [400, 'invalid_request'],
      [404, 'not_found'],
      [400, 'invalid_request'],
    ])
    expect(lines.join()).not.toContain('secret')
  })

  it('holds no tokens, ids, bodies, file names or words that were searched for', async () => {
    const record = catalog.record('private-id', { name: 'private name', refid: 'private refid' })
    await catalog.write([record])
    await catalog.list({ q: 'private' })
    await catalog.get('private-id')
    await catalog.export({ q: 'private' })
    await catalog.send(
      'POST',
      '/',
      {},
      csvBody('id,name\nprivate-id,', { 'Content-Disposition': 'x; filename=private.csv' }),
    )
    await catalog.postText('[{"private": }]')
    const fault = failing(
      Array.from({ length: 30 }, () => lostBefore('D1_ERROR: private thing: SQLITE_ERROR')),
    )
    const faulty = catalog.through(calling(createApp(), { ...env, DB: faultyDatabase(fault) }))
    await faulty.send('GET', '/private-id/')
    expect(lines).toHaveLength(7)
    expect(lines.slice(0, 6).join()).not.toContain('private')
    expect(lines.join()).not.toContain(catalog.workspace.token.split('.')[2])
    expect(lines.join()).not.toContain('Bearer')
  })

  it('tells the place of a fault and the message of the database, without values', async () => {
    const app = createApp()
    app.get('/fault', () => {
      throw new Error('first line\n    at secret line\nparams: secret', { cause: new Error('inner secret') })
    })
    const response = await calling(app)('/fault')
    expect(response.status).toBe(500)
    expect(await response.json()).toEqual({ success: false, message: expect.not.stringContaining('secret') })
    expect(logged()).toMatchObject([{ route: null, status: 500, error: 'Error', stack: expect.any(Array) }])
    expect(lines.join()).not.toContain('secret')
    expect((logged()[0]!.stack as string[]).length).toBeGreaterThan(0)
  })

  it('says under the request id of a 503 that the database could not be reached', async () => {
    const fault = failing(Array.from({ length: 30 }, () => lostBefore()))
    const faulty = catalog.through(calling(createApp(), { ...env, DB: faultyDatabase(fault) }))
    const answer = await faulty.send('GET', '/')
    expect(answer.status).toBe(503)
    expect(logged()).toMatchObject([
      {
        status: 503,
        error: 'unavailable',
        reason: expect.stringContaining('unavailable'),
        request_id: answer.headers.get('X-Request-Id'),
      },
    ])
  })

  it('has the line of a streamed answer when it is complete, with all rows that it read', async () => {
    await catalog.write(catalog.records(1500))
    lines = []
    const headers = { Authorization: `Bearer ${catalog.workspace.token}` }
    const response = await catalog.fetch('/admin/datasets/v1/?type=medication&format=csv', { headers })
    expect(lines).toEqual([])
    await response.text()
    expect(logged()).toMatchObject([{ status: 200, route: '/admin/datasets/v1/' }])
    expect(logged()[0]!.rows_read).toBeGreaterThanOrEqual(1500)
    lines = []
    const dropped = await catalog.fetch('/admin/datasets/v1/?type=medication&format=csv', { headers })
    await dropped.body!.cancel()
    expect(lines).toHaveLength(1)
  })
})
