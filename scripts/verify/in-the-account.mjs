/** Assumptions that can only be tested in an account of the platform, with its deployed resources. */
import path from 'node:path'
import { isOverloaded } from '#worker/storage/database-faults'
import { compare } from '../backup/compare.ts'
import { backUp } from '../backup.mjs'
import { callAccount, MISSING, readAccount } from '../cloudflare/account.mjs'
import { documentsBucket } from '../configuration.mjs'
import { restore } from '../restore.mjs'
import { finding, seconds, timed } from './verdicts.mjs'

/** @typedef {import('./verdicts.mjs').Assumption} Assumption */

const silently = () => undefined

const NUMBERS = 'WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 1e12)'

const messageOf = (call) =>
  call.then(
    () => undefined,
    (error) => error.message,
  )

/** @type {Assumption[]} */
const assumptions = [
  {
    sentence: `What is missing has the codes that setup knows: a Worker ${MISSING.worker}, a bucket ${MISSING.bucket}`,
    measure: async () => {
      const looks = { worker: '/workers/scripts/verify-none/deployments', bucket: '/r2/buckets/verify-none' }
      const codes = await Promise.all(
        Object.entries(looks).map(async ([what, address]) => {
          const { status, codes } = await readAccount(address).then(
            () => ({ status: 200, codes: [] }),
            (error) => ({ status: 'refused', codes: error.codes ?? [] }),
          )
          return { ok: codes.includes(MISSING[what]), said: `${what} ${codes.join(', ') || status}` }
        }),
      )
      return finding(
        codes.every(({ ok }) => ok),
        codes.map(({ said }) => said).join('; '),
      )
    },
  },
  {
    sentence:
      'A call without what it needs makes nothing, and a token that may write gets 400 (so setup asks for rights)',
    measure: async ({ config }) => {
      const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' }
      const addresses = [
        '/d1/database',
        '/storage/kv/namespaces',
        '/r2/buckets',
        `/workers/scripts/${config.name}/versions`,
      ]
      const statuses = await Promise.all(addresses.map(async (address) => (await callAccount(address, init)).status))
      return finding(
        statuses.every((status) => status >= 400 && status < 500 && status !== 401 && status !== 403),
        statuses.join(', '),
      )
    },
  },
  {
    sentence: 'Databases and the bucket are in the jurisdiction of wrangler.toml',
    measure: async ({ config }) => {
      const { name, jurisdiction } = documentsBucket(config)
      const headers = jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}
      const addresses = [
        ...config.d1_databases.map(({ binding, database_id: id }) => ({ binding, address: `/d1/database/${id}` })),
        { binding: 'DOCUMENTS', address: `/r2/buckets/${name}` },
      ]
      const places = await Promise.all(
        addresses.map(async ({ binding, address }) => {
          const { jurisdiction: legal, running_in_region, location } = await readAccount(address, { headers })
          return {
            binding,
            legal: legal === 'default' ? undefined : (legal ?? undefined),
            where: running_in_region ?? location,
          }
        }),
      )
      return finding(
        places.every(({ legal }) => legal === jurisdiction),
        places
          .map(({ binding, legal, where }) => `${binding}: ${legal ?? 'none'}, in ${where ?? 'an unknown location'}`)
          .join('; '),
      )
    },
  },
  {
    sentence: 'A backup is restored into new databases, and the comparison finds no difference',
    measure: async ({ env, scratch, query }) => {
      const { place, directory } = await scratch.open()
      const file = path.join(directory, 'backup.sql')
      const deployed = { remote: true, environment: env, stateDirectory: directory }
      const backup = await timed(() => backUp(deployed, file, silently))
      const restored = await timed(() => restore(place, file, {}, silently))
      const compared = await timed(() => compare(place, file, silently))
      const [{ n }] = await query('DB', 'SELECT count(*) AS n FROM records', [])
      const times = { backup, restore: restored, check: compared }
      const parts = Object.entries(times).map(([name, { ms }]) => `${name} ${seconds(ms)}`)
      return finding(true, `${parts.join(', ')}, with ${Number(n).toLocaleString('en')} records in DB`)
    },
  },
  {
    sentence: 'A statement that runs for too long ends with a text that the service knows',
    measure: async ({ scratch }) => {
      const { remote } = await scratch.open()
      const { value: message, ms } = await timed(() =>
        messageOf(remote.query(`${NUMBERS} SELECT count(*) FROM numbers`, [])),
      )
      return finding(message !== undefined && isOverloaded(new Error(message)), `after ${seconds(ms)}: ${message}`)
    },
  },
]

export const IN_THE_ACCOUNT = assumptions.map((each) => ({ ...each, needs: /** @type {const} */ ('account') }))
