import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { verify as verifyHere } from '../../scripts/verify.mjs'
import { Project, TOKEN } from './platform/project.mjs'
import { Platform } from './platform/stand-in.mjs'
import { demoAccess, startLocal } from './support.mjs'

const silently = () => undefined

/** So that a test takes seconds. */
const SMALL = { bodyBytes: 300_000, patienceMs: 100, waitMs: 0 }

/** The rows of a table: `[assumption, measured, verdict]`. */
const rowsOf = ({ table }) =>
  table
    .split('\n')
    .slice(4)
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))

const withVerdict = (result, verdict) => rowsOf(result).filter((row) => row[2] === verdict)

describe('npm run verify', () => {
  it('finds no false assumption at npm start, says what it did not try there, and leaves nothing', async () => {
    const service = await startLocal(['--port', '8941', '--persist-to', '.wrangler/verify-test'])
    const port = new URL(demoAccess(service).baseUrl).port
    const result = await verifyHere({ port, ...SMALL }, silently)
    expect(withVerdict(result, 'FALSE')).toEqual([])
    expect(result.isTrue).toBe(true)
    const untried = withVerdict(result, 'not tried here')
    expect(untried.length).toBeGreaterThan(25)
    expect(untried.filter(([, reason]) => reason.length < 20)).toEqual([])
    expect(rowsOf(result).at(-1)[0]).toContain('is erased')
  })
})

describe('npm run verify on a deployed service', () => {
  /** @type {Platform} */
  let platform
  /** @type {Project} */
  let project
  let verify
  let ASSUMPTIONS

  beforeAll(async () => {
    platform = await Platform.start()
    const environment = {
      CLOUDFLARE_API_BASE_URL: platform.origin,
      CLOUDFLARE_API_TOKEN: TOKEN,
      PLATFORM_STAND_IN: platform.origin,
      ASSETS_ARE_BUILT: '1',
    }
    Object.assign(process.env, environment)
    await import('./platform/through-stand-in.mjs')
    project = await Project.make(platform)
    const args = [
      '--env',
      'sandbox',
      '--issuer',
      'https://sandbox.clinic.example',
      '--admin',
      'a@clinic.example',
      '--yes',
    ]
    const { code, output } = await project.run('deploy/setup.mjs', args)
    expect(code, output).toBe(0)
    const load = (name) => import(pathToFileURL(path.join(project.directory, 'scripts', name)).href)
    verify = (await load('verify.mjs')).verify
    ASSUMPTIONS = (await load('verify/assumptions.mjs')).ASSUMPTIONS
  })
  afterEach(() => platform.heal())
  afterAll(async () => {
    await platform.close()
    await project.remove()
  })

  it('finds no false assumption in the stand-in, tries all that a command can try, and takes away what it made', async () => {
    const before = [[...platform.databases.keys()], [...platform.buckets.keys()]]
    const result = await verify({ env: 'sandbox', ...SMALL }, silently)
    expect(withVerdict(result, 'FALSE')).toEqual([])
    expect(result.table).toMatch(/^Release \d+\.\d+\.\d+, the environment sandbox, 20\d\d-.*, 0 are false, 10 were/)
    expect(withVerdict(result, 'not tried here').length).toBe(10)
    expect([[...platform.databases.keys()], [...platform.buckets.keys()]]).toEqual(before)
  })

  const json = (change) => (_, answer) => ({ ...answer, text: JSON.stringify(change(JSON.parse(answer.text))) })
  /** Changes the answers to some requests. */
  const answering = (condition, change) => () => {
    platform.edge = (request, answer) => (condition(request, answer) ? change(request, answer) : answer)
  }
  const at = (start, method) => (request) =>
    request.path.includes(start) && (method === undefined || request.method === method)
  const status = (code) => (_, answer) => ({ ...answer, status: code, text: '{"success":false,"message":"no"}' })
  const without =
    (name) =>
    (_, { headers: { [name]: _gone, ...headers }, ...answer }) => ({ ...answer, headers })
  const health = (change) =>
    answering(
      at('/platform/v1/health'),
      json((body) => ({ ...body, data: { ...body.data, ...change(body.data) } })),
    )
  const results = (change) => () => {
    platform.api = (record, result) => change(record, result) ?? result
  }
  const refused =
    (...names) =>
    () =>
      platform.refuse(...names)
  const matches = (n) => json((body) => ({ ...body, data: { ...body.data, items: Array(n).fill({}) } }))

  /** The version that serves has one secret less when it is asked for again. */
  const withoutSecretAfterwards = () => {
    let looks = 0
    platform.api = ({ path: asked }, result) => {
      if (!/\/versions\/[\w-]+$/.test(asked) || looks++ === 0) return result
      const bindings = result.resources.bindings.filter(({ name }) => name !== 'PLATFORM_ADMIN_TOKEN')
      return { ...result, resources: { ...result.resources, bindings } }
    }
  }

  it.each([
    ['every part of it is well', health(() => ({ bucket: { ok: false, problem: 'gone', ms: 1 } }))],
    [
      'are those of the migrations',
      results(({ body }, result) => {
        if (body.includes('FROM sqlite_schema WHERE name NOT LIKE')) result[0].results.pop()
      }),
    ],
    ['is one transaction', () => platform.answerInPlace('1102', at('/admin/datasets/', 'POST'))],
    ['Two writes', () => platform.answerInPlace('1102', at('/admin/datasets/', 'POST'))],
    ['`bad JSON path`', answering(({ url }) => url.search.includes('reconcile'), status(500))],
    ...['SQLITE_ERROR', 'SQLITE_CONSTRAINT', 'SQLITE_TOOBIG', 'SQLITE_MISMATCH', 'SQLITE_AUTH'].map((code) => [
      code,
      refused('a lock by an export'),
    ]),
    ['forgets the words', answering(at('/medical-db/'), matches(1))],
    ['fts5vocab', answering(at('/medical-db/'), matches(0))],
    ['Of two uses', answering(({ headers }, answer) => headers['x-auth-token'] && answer.status === 401, status(200))],
    ['A bookmark', answering(({ headers }) => headers['x-d1-bookmark'], status(500))],
    [
      'Programs reach the service',
      () => platform.answerInPlace('challenge', ({ headers }) => headers['user-agent'].startsWith('python')),
    ],
    ['A gzip body', answering(({ headers }) => headers['content-encoding'] === 'gzip', status(400))],
    ['keeps its entity tag', answering(at('/admin/datasets/', 'GET'), without('etag'))],
    ['CORS', answering(({ method }) => method === 'OPTIONS', without('access-control-allow-origin'))],
    ['`cf-placement`', answering(() => true, without('cf-placement'))],
    ['A round trip', health(({ databases }) => ({ databases: databases.map((one) => ({ ...one, ms: 90 })) }))],
    ['A search takes', () => Object.assign(platform, { cpuMs: 20_000 })],
    ['half of its CPU time', () => Object.assign(platform, { cpuMs: 20_000 })],
    ['The rate limit', answering((_, answer) => answer.status === 429, status(401))],
    ['What is missing', refused('what is missing under another code')],
    ['makes nothing', () => Object.assign(platform, { mayWrite: false })],
    [
      'in the jurisdiction',
      results(({ path: asked, method }, result) =>
        method === 'GET' && /^\/d1\/database\/[\w-]+$/.test(asked) ? { ...result, jurisdiction: 'eu' } : result,
      ),
    ],
    [
      'The custom domain',
      results(({ path: asked }, result) => (asked === '/workers/domains' ? [{ service: 'shop' }] : result)),
    ],
    ['wrangler applies the migrations', refused('a trigger that is cut')],
    ['A backup is restored', refused('an import that takes too long')],
    [
      'Time Travel',
      results(({ body }, result) => {
        if (body.includes('count(*) AS n FROM travel')) result[0].results = [{ n: 0 }]
      }),
    ],
    ['runs for too long', refused('a trigger that is cut')],
    ['d1 export', refused('an export with virtual tables', 'a lock by an export')],
    ['Secrets stay', withoutSecretAfterwards],
    [
      'The schedule runs',
      health(({ databases }) => ({ databases: databases.map((one) => ({ ...one, last_run: null })) })),
    ],
    [
      'is erased',
      answering(({ method, path: asked }) => method === 'DELETE' && asked.includes('verify-'), status(500)),
    ],
  ])('names what is false: %s', async (words, makeFalse) => {
    const assumptions = ASSUMPTIONS.filter(({ sentence }) => sentence.includes(words))
    const begin = (each) => ({
      ...each,
      measure: async (place) => {
        makeFalse()
        return each.measure(place).finally(() => platform.heal())
      },
    })
    if (assumptions.length === 0) makeFalse()
    const result = await verify({ env: 'sandbox', ...SMALL }, silently, assumptions.map(begin))
    expect(withVerdict(result, 'FALSE').map(([sentence]) => sentence)).toEqual([expect.stringContaining(words)])
    expect(result.isTrue).toBe(false)
  })
})
