/** What can be tried only in an account of the platform, with what is deployed there. */
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isOverloaded } from '#worker/storage/database-faults'
import { compare } from '../backup/compare.mjs'
import { backUp } from '../backup.mjs'
import { callAccount, changeAccount, MISSING, readAccount, runOnAccount } from '../cloudflare/account.mjs'
import { documentsBucket, environmentArguments, version } from '../configuration.mjs'
import { deployedVersion, secretsOf } from '../deploy/state.mjs'
import { deploy } from '../deploy/steps.mjs'
import { restore } from '../restore.mjs'
import { schemaFinding } from './on-the-service.mjs'
import { finding, notTried, seconds, timed } from './verdicts.mjs'

/** @typedef {import('./verdicts.mjs').Assumption} Assumption */

/** The age at which docs/operating.md calls a scheduled run late by one, in milliseconds. */
const SCHEDULE_MS = 20 * 60_000
const LOOK_MS = 10_000

const silently = () => undefined

const NUMBERS = 'WITH RECURSIVE numbers(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 1e12)'

const messageOf = (call) =>
  call.then(
    () => undefined,
    (error) => error.message,
  )

/** Whether the Worker opens what is sealed, and takes the operator's token. */
async function hasItsSecrets({ operator, env }, secrets) {
  const { master_key: masterKey } = await operator.get('/platform/v1/health')
  const present = secretsOf(await deployedVersion(env))
  return masterKey.ok && present.size === secrets.size && [...secrets].every((name) => present.has(name))
}

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
          .map(({ binding, legal, where }) => `${binding}: ${legal ?? 'none'}, in ${where ?? 'a place not told'}`)
          .join('; '),
      )
    },
  },
  {
    sentence: 'The custom domain is the Worker of wrangler.toml',
    measure: async ({ config, origin }) => {
      const { hostname } = new URL(origin)
      const domains = await readAccount(`/workers/domains?hostname=${hostname}`)
      const services = domains.map(({ service }) => service)
      return finding(services.join() === config.name, `${hostname}: ${services.join(', ') || 'no Worker'}`)
    },
  },
  {
    sentence: 'wrangler applies the migrations to a new database, triggers and full-text tables included',
    measure: async ({ scratch }) => {
      const { remote, applyMs } = await scratch.open()
      const { holds, measured } = await schemaFinding(remote.read, 'a new database')
      return finding(holds, `${measured}; in ${seconds(applyMs)}`)
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
      return finding(true, `${parts.join(', ')}, with ${n.toLocaleString('en')} records in DB`)
    },
  },
  {
    sentence: 'Time Travel brings back what was deleted from a database',
    measure: async ({ scratch }) => {
      const { remote, id } = await scratch.open()
      const count = async () => (await remote.query('SELECT count(*) AS n FROM travel', []))[0].n
      await remote.query('CREATE TABLE travel (n INTEGER)', [])
      await remote.query('INSERT INTO travel VALUES (1)', [])
      const { bookmark } = await readAccount(`/d1/database/${id}/time_travel/bookmark`)
      await remote.query('DELETE FROM travel', [])
      await changeAccount('POST', `/d1/database/${id}/time_travel/restore?bookmark=${bookmark}`)
      const after = await count()
      return finding(after === 1, `${after} of 1 rows`)
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
  {
    sentence: 'Secrets stay after a deployment and after a rollback',
    measure: async (place) => {
      const { env, operatorToken, operator, patienceMs } = place
      const { release } = await operator.get('/platform/v1/health')
      if (release !== version) return notTried(`the service runs ${release}, and this is ${version}: deploy it first`)
      const before = await deployedVersion(env)
      const secrets = secretsOf(before)
      const credentials = { PLATFORM_ADMIN_TOKEN: operatorToken }
      await deploy({ name: env, credentials, inSetup: true, patience: patienceMs })
      const isDeployed = await hasItsSecrets(place, secrets)
      await runOnAccount(['rollback', before.id, '--yes', ...environmentArguments(env)])
      const isBack = (await deployedVersion(env)).id === before.id && (await hasItsSecrets(place, secrets))
      const said = (has) => (has ? 'all there' : 'not as before')
      return finding(
        isDeployed && isBack,
        `${secrets.size} secrets; deployed: ${said(isDeployed)}; back: ${said(isBack)}`,
      )
    },
  },
  {
    sentence: 'The schedule runs within twenty minutes',
    measure: async ({ operator, patienceMs }) => {
      const until = Date.now() + patienceMs
      for (;;) {
        const { databases, time } = await operator.get('/platform/v1/health')
        const ages = databases.map(({ last_run: at }) => Date.parse(time) - (at === null ? 0 : Date.parse(at)))
        const isRecent = ages.every((age) => age <= SCHEDULE_MS)
        if (isRecent) return finding(true, `the last run was ${seconds(Math.max(...ages))} ago`)
        if (Date.now() >= until) return finding(false, `no run of every database in ${seconds(patienceMs)}`)
        await sleep(Math.min(LOOK_MS, patienceMs))
      }
    },
  },
]

export const IN_THE_ACCOUNT = assumptions.map((each) => ({ ...each, needs: /** @type {const} */ ('account') }))
