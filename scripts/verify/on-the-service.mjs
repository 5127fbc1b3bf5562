/** Assumptions that can be tested on any service, with requests and statements. */

import { partnerToken } from '#client/partner'
import { databaseNames, version } from '../configuration.mjs'
import { migrate } from '../database/migrate.ts'
import { withSqlite } from '../database/sqlite.ts'
import { problemsIn } from '../deploy/service-check.mjs'
import { countText } from '../script.mjs'
import { records } from './records.mjs'
import { finding, seconds, timed } from './verdicts.mjs'

/** @typedef {import('./verdicts.mjs').Assumption} Assumption */

const DATASETS = '/admin/datasets/v1/'
const SEARCH = '/medical-db/v1/search/'
const WORKSPACE = '/platform/v1/workspaces/{workspace_id}'

/** The service responds within this many milliseconds or with 504. */
const MOST_WRITE_MS = 29_000
/** Number of tokens that are used twice at the same time. */
const TOKENS = 10

export const put = ({ client }, type, body, query = {}) => client.post(DATASETS, { query: { type, ...query }, body })

/** The final status of a request, and its message. */
const refusalOf = (call) =>
  call.then(
    () => ({ status: 200, codes: [], message: 'it was taken' }),
    ({ status, codes = [], message }) => ({ status, codes, message }),
  )

/** Compares the tables, indexes and triggers of a database with those that the migrations create on this machine. */
async function schemaFinding(read, name) {
  const schema = "SELECT type || ' ' || name, sql FROM sqlite_schema WHERE name NOT LIKE '_cf_%' ORDER BY 1"
  const wanted = await withSqlite(undefined, async (database) => {
    await migrate(database, 'DB')
    return new Map(database.read(schema).map(([name, sql]) => [name, sql]))
  })
  const present = new Map(await read(schema))
  const different = [...new Set([...wanted.keys(), ...present.keys()])].filter(
    (each) => wanted.get(each) !== present.get(each),
  )
  const triggers = [...present.keys()].filter((each) => each.startsWith('trigger')).length
  const what =
    different.length > 0 ? `not the same: ${different.join(', ')}` : `${countText(triggers, 'trigger')}, all equal`
  return { holds: different.length === 0, measured: `${name}: ${what}` }
}

/** Statements that change nothing, with the SQLite code of the error that each causes. */
const REFUSED_STATEMENTS = {
  SQLITE_ERROR: 'SELECT no_such_column FROM workspaces',
  SQLITE_CONSTRAINT: `INSERT INTO workspaces (workspace_id, name, created_at)
    SELECT workspace_id, name, created_at FROM workspaces LIMIT 1`,
  SQLITE_TOOBIG: `SELECT '${'x'.repeat(100_000)}' AS longer_than_a_statement`,
  SQLITE_MISMATCH: "SELECT 1 LIMIT 'some'",
  SQLITE_AUTH: 'PRAGMA journal_mode = DELETE',
}

/** @returns {Assumption[]} one for each entry of the table of errors that can be provoked */
const refusedStatements = () =>
  Object.entries(REFUSED_STATEMENTS).map(([code, sql]) => ({
    sentence: `The message of a rejected statement has SQLite's code: ${code}`,
    measure: async ({ query }) => {
      const message = await query('DB', sql, []).then(
        () => 'the statement was taken',
        (error) => error.message,
      )
      return finding(message.includes(code), message.slice(0, 120))
    },
  }))

/** Sends one partner token on two connections at the same time. @returns {Promise<number>} how many were accepted */
async function sendTwice({ origin }, credential, n) {
  const token = await partnerToken(credential, { id: `verify-${n}` })
  const call = () => fetch(`${origin}${SEARCH}?type=symptom&q=ache`, { headers: { 'X-Auth-Token': token } })
  const statuses = await Promise.all([call(), call()].map(async (answer) => (await answer).status))
  if (statuses.some((status) => status !== 200 && status !== 401)) throw new Error(`answered ${statuses.join(' and ')}`)
  return statuses.filter((status) => status === 200).length
}

export const newCredential = ({ operator, workspaceId }, origins = []) =>
  operator.post(`${WORKSPACE}/partner-credentials`, {
    params: { workspace_id: workspaceId },
    body: { issuer: 'https://verify.example', allowed_origins: origins },
  })

const found = async ({ client }, q) =>
  (await client.get(SEARCH, { query: { type: 'symptom', q, source: 'workspace' } })).items.length

/** @type {Assumption[]} */
export const ON_THE_SERVICE = [
  {
    sentence: 'The service runs this release, and every part of it is well',
    measure: async ({ operator }) => {
      const { release, ...health } = await operator.get('/platform/v1/health')
      const problems = problemsIn(health)
      return finding(problems.length === 0 && release === version, [release, ...problems].join('; '))
    },
  },
  {
    sentence: 'Tables, indexes and triggers of every database are those of the migrations',
    measure: async ({ config, query }) => {
      const all = await Promise.all(
        databaseNames(config).map((name) =>
          schemaFinding(async (sql) => (await query(name, sql, [])).map(Object.values), name),
        ),
      )
      return finding(
        all.every(({ holds }) => holds),
        all.map(({ measured }) => measured).join('; '),
      )
    },
  },
  {
    sentence: 'A write of 10 MB is one transaction that ends in 29 seconds',
    measure: async (place) => {
      const body = records('medication', place.bodyBytes)
      const { value, ms } = await timed(() => put(place, 'medication', body))
      return finding(
        value.inserted === body.length && ms < MOST_WRITE_MS,
        `${countText(value.inserted, 'record')} in ${seconds(ms)}`,
      )
    },
  },
  {
    sentence: 'Two writes of 10 MB at the same time have the memory that they need',
    measure: async (place) => {
      const types = /** @type {const} */ (['symptom', 'diagnosis'])
      const { ms } = await timed(() =>
        Promise.all(types.map((type) => put(place, type, records(type, place.bodyBytes)))),
      )
      return finding(true, `both in ${seconds(ms)}`)
    },
  },
  {
    sentence: 'A statement that stops its transaction says why (`bad JSON path`): the shrink guard reports its figures',
    measure: async (place) => {
      const all = records('lab_test', 20_000)
      await put(place, 'lab_test', all)
      const { status, codes, message } = await refusalOf(put(place, 'lab_test', all.slice(0, 1), { mode: 'reconcile' }))
      return finding(status === 409 && codes.includes('shrink_guard'), `${status}: ${message}`)
    },
  },
  ...refusedStatements(),
  {
    sentence: 'The full-text index (contentless, with deletion) forgets the words of a record that has changed',
    measure: async (place) => {
      await place.client.post('/admin/datasets/v1/search-status/', {
        query: { type: 'symptom' },
        body: { enabled: true },
      })
      await put(place, 'symptom', [{ symptom_id: 'W', name: 'Quokkaache' }])
      const before = await found(place, 'quokkaache')
      await put(place, 'symptom', [{ symptom_id: 'W', name: 'Numbatache' }])
      const after = [await found(place, 'quokkaache'), await found(place, 'numbatache')]
      return finding(
        before === 1 && after.join() === '0,1',
        `${before} before; old word ${after[0]}, new word ${after[1]}`,
      )
    },
  },
  {
    sentence: 'The words of the index can be listed (fts5vocab): a misspelled word finds its record',
    measure: async (place) => {
      await put(place, 'symptom', [{ symptom_id: 'V', name: 'Wallabyitis' }])
      const count = await found(place, 'walalbyitis')
      return finding(count === 1, `${countText(count, 'match')}`.replace('matchs', 'matches'))
    },
  },
  {
    sentence: 'Of two uses of a partner token at the same time, on two connections, one is accepted',
    measure: async (place) => {
      const credential = await newCredential(place)
      const uses = []
      for (let n = 0; n < TOKENS; n++) uses.push(await sendTwice(place, credential, n))
      return finding(
        uses.every((count) => count === 1),
        `${uses.filter((count) => count === 1).length} of ${TOKENS} tokens once`,
      )
    },
  },
  {
    sentence: 'A bookmark that no database has given is no fault of the service',
    measure: async ({ origin, token, database }) => {
      const headers = {
        Authorization: `Bearer ${await token()}`,
        'X-D1-Bookmark': `${database}=ffffffff-ffffffff-ffffffff`,
      }
      const { status } = await fetch(`${origin}${DATASETS}?type=symptom&limit=1`, { headers })
      return finding(status === 200, `answered ${status}`)
    },
  },
]
