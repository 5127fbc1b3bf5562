import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** So that a test takes seconds. */
export const SMALL = { bodyBytes: 300_000, patienceMs: 100 }

/** The rows of a table: `[assumption, measured, verdict]`. */
export const rowsOf = ({ table }) =>
  table
    .split('\n')
    .slice(4)
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))

const silently = () => undefined

/** Longer than a statement may be, with all that is hard to quote, and a file that the API gives when it is asked again. */
const LONG = "🧪 it's, (a) long\ntext\r\n".repeat(5000)
const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])
/** So many short rows are more than one statement can have. */
const SHORT_ROWS = 2500

/**
 * Tries every assumption on what is deployed, as it is and with something that makes the assumption false.
 *
 * @param {() => { platform: import('./platform/stand-in.mjs').Platform, project: import('./platform/project.mjs').Project }} deployed
 *   gives a service that was set up as production
 */
export const describeVerify = (deployed) =>
  describe('npm run verify on a deployed service', () => {
    let platform
    let move
    let verify
    let ASSUMPTIONS

    beforeAll(async () => {
      const { project, ...others } = deployed()
      platform = others.platform
      Object.assign(process.env, { PLATFORM_STAND_IN: platform.origin, ASSETS_ARE_BUILT: '1' })
      await import('./platform/through-stand-in.mjs')
      const load = (name) => import(pathToFileURL(path.join(project.directory, 'scripts', name)).href)
      const { changeSettings } = await load('deploy/setup/settings.mjs')
      // What is deployed is called the sandbox, so that it is not set up twice.
      changeSettings('sandbox', (settings, all) => {
        for (const name of Object.keys(settings)) settings[name] = structuredClone(all[name])
      })
      process.env.PLATFORM_ADMIN_TOKEN = parseEnv(
        await project.read('.setup/production/secrets.env'),
      ).PLATFORM_ADMIN_TOKEN
      move = (await load('move.mjs')).move
      verify = (await load('verify.mjs')).verify
      // This one deploys twice more.
      const isQuick = ({ sentence }) => !sentence.startsWith('Secrets stay')
      ASSUMPTIONS = (await load('verify/assumptions.mjs')).ASSUMPTIONS.filter(isQuick)
    })
    afterAll(() => platform.heal())

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
    const refused = (name) => () => platform.refuse(name)
    const matches = (n) => json((body) => ({ ...body, data: { ...body.data, items: Array(n).fill({}) } }))

    /** What makes an assumption false, by words of its sentence. @type {[string, () => void][]} */
    const FALSIFIED = [
      ['every part of it is well', health(() => ({ bucket: { ok: false, problem: 'gone', ms: 1 } }))],
      [
        'are those of the migrations',
        results(({ body }, result) => {
          if (body.includes('FROM sqlite_schema WHERE name NOT LIKE')) result[0].results.pop()
        }),
      ],
      ['is one transaction', () => platform.answerInPlace('1102', at('/admin/datasets/', 'POST'))],
      ['`bad JSON path`', answering(({ url }) => url.search.includes('reconcile'), status(500))],
      ['SQLITE_ERROR', refused('a lock by an export')],
      ['forgets the words', answering(at('/medical-db/'), matches(1))],
      ['fts5vocab', answering(at('/medical-db/'), matches(0))],
      [
        'Of two uses',
        answering(({ headers }, answer) => headers['x-auth-token'] && answer.status === 401, status(200)),
      ],
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
      [
        'Time Travel',
        results(({ body }, result) => {
          if (body.includes('count(*) AS n FROM travel')) result[0].results = [{ n: 0 }]
        }),
      ],
      ['runs for too long', refused('a trigger that is cut')],
      ['d1 export', refused('a lock by an export')],
      [
        'The schedule runs',
        health(({ databases }) => ({ databases: databases.map((one) => ({ ...one, last_run: null })) })),
      ],
    ]

    /** The last request, which takes the workspace away. */
    const leaveTheWorkspace = {
      sentence: 'The workspace stays',
      measure: async () => {
        answering(({ method, path: asked }) => method === 'DELETE' && asked.includes('verify-'), status(500))()
        return { measured: '', verdict: 'holds' }
      },
    }

    it('moves a workspace to another database through the API', async () => {
      await move(['--remote', '--env', 'sandbox', '--wait', '0', 'main', 'DB_2'])
      const moved = "SELECT database_binding, old_database, state FROM workspaces WHERE workspace_id = 'main'"
      expect(await platform.query('dataset-catalog', moved)).toEqual([
        { database_binding: 'DB_2', old_database: 'DB', state: 'active' },
      ])
      const quotas = "SELECT count(*) AS n FROM workspace_quotas WHERE workspace_id = 'main'"
      expect(await platform.query('dataset-catalog-2', quotas)).toEqual([{ n: 1 }])
    })

    /** What is hard to back up. */
    async function fillDatabases() {
      const run = (name, sql, params) => platform.sql.query(platform.databases.get(name).uuid, sql, params)
      const client = 'INSERT INTO clients (client_id, name, secret_hash, created_at)'
      const numbers = `WITH RECURSIVE n(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < ${SHORT_ROWS})`
      await run('dataset-catalog', `${numbers} ${client} SELECT 'short ' || n, 'n', 's', 1 FROM n`)
      await run('dataset-catalog', `${client} VALUES ('long', ?, 's', 1)`, [LONG])
      const columns = 'workspace_id, document_id, size_bytes, content_type, sha256, tasks, created_by, created_at'
      const digest = createHash('sha256').update(BYTES).digest('hex')
      const values = `'main', 'one', ${BYTES.length}, 'application/pdf', '${digest}', '[]', 'a client', 1`
      await run('dataset-catalog-2', `INSERT INTO documents (${columns}) VALUES (${values})`)
      platform.objects.set('dataset-catalog-documents/main/one', BYTES)
    }

    it('finds no false assumption, names each that is made false, and takes away what it made', async () => {
      await fillDatabases()
      const before = [[...platform.databases.keys()], [...platform.buckets.keys()]]
      const assumptions = ASSUMPTIONS.flatMap((each) => {
        const makeFalse = FALSIFIED.find(([words]) => each.sentence.includes(words))?.[1]
        if (makeFalse === undefined) return [each]
        const measure = (place) => {
          makeFalse()
          return each.measure(place).finally(() => platform.heal())
        }
        const falsified = { ...each, sentence: `Falsified: ${each.sentence}`, measure }
        // Those that need no account are tried as they are by the tests of `npm start`.
        return each.needs === undefined ? [falsified] : [each, falsified]
      })
      const result = await verify({ env: 'sandbox', ...SMALL }, silently, [...assumptions, leaveTheWorkspace])
      expect(result.isTrue).toBe(false)
      const rows = rowsOf(result)
      const falsified = rows.filter(([sentence]) => sentence.startsWith('Falsified: '))
      expect(falsified).toHaveLength(FALSIFIED.length)
      expect(falsified.filter(([, , verdict]) => verdict !== 'FALSE')).toEqual([])
      const others = rows.filter((row) => !falsified.includes(row))
      expect(others.pop()).toEqual([expect.stringContaining('is erased'), expect.stringContaining('is left'), 'FALSE'])
      expect(others.filter(([, , verdict]) => verdict === 'FALSE')).toEqual([])
      expect(others.filter(([, , verdict]) => verdict === 'not tried here')).toHaveLength(9)
      const reads = platform.requests.filter(({ path: asked }) => asked.endsWith('documents/objects/main/one'))
      expect(reads.map(({ method }) => method)).toEqual(['GET', 'GET'])
      expect(result.table).toMatch(
        /^Release \d+\.\d+\.\d+, the environment sandbox, 20\d\d-.*, 9 were not tried here\./,
      )
      expect([[...platform.databases.keys()], [...platform.buckets.keys()]]).toEqual(before)
    })
  })
