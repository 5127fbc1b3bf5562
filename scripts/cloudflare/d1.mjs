/** A deployed D1 database, through Cloudflare's API. The calls are those that wrangler makes. */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { account, requireOk } from './account.mjs'

/** Between two questions how far an export or import is, in milliseconds: short at first, for small databases. */
const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 2000

/** Follows an export or import to its end. */
async function followed(first, next) {
  let pause = FIRST_PAUSE_MS
  for (let state = first; ; state = await next(state.at_bookmark)) {
    if (state.status === 'complete') return state.result
    if (state.status === 'error' || state.success === false) {
      throw new Error([state.error ?? state.errors, ...(state.messages ?? [])].flat().join('\n'))
    }
    await sleep(pause)
    pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
  }
}

/** @param {string} file @returns {Promise<string>} its MD5, by which the API names a file */
async function md5(file) {
  const hash = createHash('md5')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}

async function upload(url, file) {
  const { size } = await stat(file)
  // The types do not know bodies that stream.
  const init = /** @type {any} */ ({
    method: 'PUT',
    headers: { 'Content-Length': String(size) },
    body: Readable.toWeb(createReadStream(file)),
    duplex: 'half',
  })
  await requireOk(await fetch(url, init), 'an upload')
}

/**
 * @param {string} id of the database
 */
export async function openDeployed(id) {
  const { post } = await account()
  const call = (action, body) => post(`/d1/database/${id}/${action}`, body)
  const query = async (sql) => (await call('query', { sql })).map(({ results }) => results)
  return {
    /** Runs one query, whose columns have different names. @returns {Promise<any[][]>} rows of values */
    read: async (sql) => (await query(sql))[0].map(Object.values),

    /** Runs statements in one transaction. @param {string[]} statements */
    batch: async (statements) => {
      await query(statements.map((sql) => sql.replace(/;\s*$/, '')).join(';\n'))
    },

    /**
     * Writes the rows of some tables to a file, as SQL. Meanwhile other requests of the database wait.
     *
     * @param {string[]} tables named, because D1 otherwise refuses a database with a full-text index
     */
    exportTables: async (tables, file) => {
      const options = { no_schema: true, no_data: false, tables }
      const ask = (bookmark) =>
        call('export', { output_format: 'polling', dump_options: options, current_bookmark: bookmark })
      const { signed_url: url } = await followed(await ask(undefined), ask)
      const response = await requireOk(await fetch(url), 'a download')
      await pipeline(Readable.fromWeb(/** @type {any} */ (response.body)), createWriteStream(file))
    },

    /** Runs every statement of a file: all of it, or nothing. */
    importFile: async (file) => {
      const etag = await md5(file)
      const started = await call('import', { action: 'init', etag })
      if (started.upload_url) await upload(started.upload_url, file)
      const first = started.upload_url
        ? await call('import', { action: 'ingest', filename: started.filename, etag })
        : started
      await followed(first, (bookmark) => call('import', { action: 'poll', current_bookmark: bookmark }))
    },
  }
}
