/** New databases and a bucket in the account, for tests that must not use those of a service. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { changeAccount, readAccount } from '../cloudflare/account.mjs'
import { documentsBucket } from '../configuration.mjs'
import { openRemote } from '../database/remote.ts'
import { root } from '../wrangler.mjs'

export class Scratch {
  #config
  #name = `verify-${crypto.randomUUID().slice(0, 8)}`
  #made
  /** @type {(() => Promise<unknown>)[]} */
  #removals = []

  /** @param {import('../configuration.mjs').Configuration} config of the service next to which they are created */
  constructor(config) {
    this.#config = config
  }

  /**
   * Creates them once. `DB` has the tables of this release.
   *
   * @returns {Promise<{ place: import('../database/target.ts').Place, remote: import('../database/remote.ts').Remote,
   *   directory: string }>} `remote` is `DB`, `directory` is for files
   */
  open() {
    this.#made ??= this.#make()
    return this.#made
  }

  /** @throws {AggregateError} naming what could not be deleted */
  async remove() {
    const outcomes = await Promise.allSettled(this.#removals.splice(0).map((removal) => removal()))
    const faults = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []))
    if (faults.length > 0) throw new AggregateError(faults, faults.join('; '))
  }

  async #make() {
    const directory = await mkdtemp(path.join(tmpdir(), 'verify-'))
    this.#removals.push(() => rm(directory, { recursive: true, force: true }))
    const { jurisdiction } = documentsBucket(this.#config)
    const headers = jurisdiction ? { 'cf-r2-jurisdiction': jurisdiction } : {}
    const settings = { name: this.#name, compatibility_date: this.#config.compatibility_date }
    const lines = [tomlOf(settings)]
    for (const { binding } of this.#config.d1_databases) {
      const name = `${this.#name}-${binding.toLowerCase().replaceAll('_', '-')}`
      const { uuid } = await changeAccount('POST', '/d1/database', { body: { name, jurisdiction } })
      this.#removals.push(() => changeAccount('DELETE', `/d1/database/${uuid}`))
      const database = {
        binding,
        database_name: name,
        database_id: uuid,
        migrations_dir: path.join(root, 'migrations'),
      }
      lines.push('[[d1_databases]]', tomlOf(database))
    }
    await changeAccount('POST', '/r2/buckets', { body: { name: this.#name }, headers })
    this.#removals.push(() => deleteBucket(this.#name, headers))
    lines.push('[[r2_buckets]]', tomlOf({ binding: 'DOCUMENTS', bucket_name: this.#name, jurisdiction }))
    const configuration = path.join(directory, 'wrangler.toml')
    await writeFile(configuration, `${lines.join('\n')}\n`)
    const remote = openRemote('DB', undefined, configuration)
    await remote.migrate()
    const place = { remote: true, environment: undefined, stateDirectory: directory, configuration }
    return { place, remote, directory }
  }
}

/** @param {Record<string, string | undefined>} members undefined ones are omitted */
const tomlOf = (members) =>
  Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
    .join('\n')

/** A bucket with objects cannot be deleted, so the objects are deleted first. */
async function deleteBucket(name, headers) {
  for (;;) {
    const objects = await readAccount(`/r2/buckets/${name}/objects?per_page=100`, { headers })
    if (objects.length === 0) break
    for (const { key } of objects) await changeAccount('DELETE', `/r2/buckets/${name}/objects/${key}`, { headers })
  }
  await changeAccount('DELETE', `/r2/buckets/${name}`, { headers })
}
