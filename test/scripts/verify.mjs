import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseEnv } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'

/** So that a test takes only seconds. */
export const SMALL = { bodyBytes: 300_000 }

/** The rows of a table: `[assumption, measured, verdict]`. */
export const rowsOf = ({ table }) =>
  table
    .split('\n')
    .slice(4)
    .map((line) => line.slice(2, -2).split(/ (?<!\\)\| /))

const silently = () => undefined

/**
 * Longer than the limit of a statement, with all characters that are hard to quote, and a file that the API returns on
 * the second request.
 */
const LONG = "🧪 it's, (a) long\ntext\r\n".repeat(5000)
const BYTES = Buffer.from([0, 255, 10, 39, 37, 80])
/** This many short rows exceed one statement. */
const SHORT_ROWS = 2500

/**
 * Tests every assumption on a deployed service.
 *
 * @param {() => { platform: import('./platform/stand-in.mjs').Platform, project:
 *   import('./platform/project.mjs').Project }} deployed returns a service that was set up as production
 */
export const describeVerify = (deployed) =>
  describe('npm run verify on a deployed service', () => {
    let platform
    let move
    let verify

    beforeAll(async () => {
      const { project, ...others } = deployed()
      platform = others.platform
      Object.assign(process.env, { PLATFORM_STAND_IN: platform.origin, ASSETS_ARE_BUILT: '1' })
      await import('./platform/through-stand-in.mjs')
      const load = (name) => import(pathToFileURL(path.join(project.directory, 'scripts', name)).href)
      const { changeSettings } = await load('deploy/setup/settings.mjs')
      // The deployed service is called the sandbox, so that it is not set up twice.
      await changeSettings('sandbox', (settings, all) => {
        for (const name of Object.keys(settings)) settings[name] = structuredClone(all[name])
      })
      process.env.PLATFORM_ADMIN_TOKEN = parseEnv(
        await project.read('.setup/production/secrets.env'),
      ).PLATFORM_ADMIN_TOKEN
      move = (await load('move.mjs')).move
      verify = (await load('verify.mjs')).verify
    })
    it('moves a workspace to another database through the API', async () => {
      await move.parseAsync(['--remote', '--env', 'sandbox', '--wait', '0', 'main', 'DB_2'], { from: 'user' })
      const moved = "SELECT database_binding, old_database, state FROM workspaces WHERE workspace_id = 'main'"
      expect(await platform.query('dataset-catalog', moved)).toEqual([
        { database_binding: 'DB_2', old_database: 'DB', state: 'active' },
      ])
      const quotas = "SELECT count(*) AS n FROM workspace_quotas WHERE workspace_id = 'main'"
      expect(await platform.query('dataset-catalog-2', quotas)).toEqual([{ n: 1 }])
    })

    /** Data that is hard to back up. */
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

    it('finds no false assumption, and deletes what it created', async () => {
      await fillDatabases()
      const before = [[...platform.databases.keys()], [...platform.buckets.keys()]]
      const result = await verify({ env: 'sandbox', ...SMALL }, silently)
      const rows = rowsOf(result)
      expect(rows.filter(([, , verdict]) => verdict !== 'holds')).toEqual([])
      expect(rows.at(-1)).toEqual([expect.stringContaining('is erased'), 'nothing is left', 'holds'])
      const reads = platform.requests.filter(({ path: asked }) => asked.endsWith('documents/objects/main/one'))
      expect(reads.map(({ method }) => method)).toEqual(['GET', 'GET'])
      expect(result.table).toMatch(/^Release \d+\.\d+\.\d+, the environment sandbox, 20\d\d-/)
      expect([[...platform.databases.keys()], [...platform.buckets.keys()]]).toEqual(before)
    })

    it('names an assumption that is false, and one whose test fails', async () => {
      const measures = [
        async () => ({ measured: 'it is not', verdict: 'FALSE' }),
        () => Promise.reject(new Error('it | failed')),
      ]
      const assumptions = measures.map((measure, n) => ({ sentence: `sentence ${n}`, measure }))
      const result = await verify({ env: 'sandbox', ...SMALL }, silently, assumptions)
      expect(result.isTrue).toBe(false)
      expect(rowsOf(result).slice(0, 2)).toEqual([
        ['sentence 0', 'it is not', 'FALSE'],
        ['sentence 1', 'it \\| failed', 'FALSE'],
      ])
    })
  })
