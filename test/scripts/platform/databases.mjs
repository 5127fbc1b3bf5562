/** Cloudflare's API for D1 databases: queries and imports. */
import { createHash } from 'node:crypto'
import { Refusal } from './routes.mjs'

/** The longest statement that D1 accepts, in bytes. */
const STATEMENT_BYTES = 100_000
/** Larger imports were reported to fail. */
const IMPORT_STATEMENTS = 100_000

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')

/** Whether a text contains more than comments. */
const isStatement = (text) => text.replaceAll(/^\s*--.*$/gm, '').trim() !== ''

/**
 * Splits a text into statements as D1 does: at each semicolon at the end of a line. Like on D1, this cuts a trigger on
 * several lines.
 */
const statementsOf = (sql) => `${sql}\n`.split(/;[ \t]*\n/).filter(isStatement)

const complete = (result) => ({ success: true, messages: [], status: 'complete', result })
const underWay = (at_bookmark) => ({ success: true, messages: [], status: 'active', at_bookmark })
const failed = (error) => ({ success: true, messages: [], status: 'error', error, errors: [error] })

export class Databases {
  /** Uploaded files. @type {Map<string, Buffer>} */
  files = new Map()
  #imported = ''
  #runtime

  constructor(runtime) {
    this.#runtime = runtime
  }

  /** A result for each statement. */
  query(id, sql, params) {
    if (sql.includes('1e12')) throw new Refusal(400, 7500, 'D1 DB exceeded its CPU time limit and was reset.')
    return this.#runtime.query(id, statementsOf(sql), params)
  }

  async import(id, { action, etag }, origin) {
    if (action === 'init') return { ...underWay('b'), upload_url: `${origin}/files/${etag}`, filename: etag }
    if (action === 'ingest') {
      this.#imported = etag
      return underWay('b')
    }
    const statements = statementsOf(this.files.get(this.#imported).toString())
    if (statements.some((each) => Buffer.byteLength(each) > STATEMENT_BYTES))
      return failed('statement too long: SQLITE_TOOBIG')
    if (statements.length > IMPORT_STATEMENTS) return failed('D1 DB storage operation exceeded timeout')
    try {
      await this.#runtime.query(id, statements)
    } catch ({ message }) {
      return failed(message)
    }
    const meta = { duration: 1, rows_read: 0, rows_written: 0, size_after: 0 }
    return complete({ num_queries: statements.length, final_bookmark: 'b', meta })
  }

  /** An upload. @returns its entity tag */
  upload(name, body, headers) {
    // Like R2's response to a body of unknown length.
    if (headers['content-length'] === undefined) throw new Refusal(411, 10000, 'MissingContentLength')
    this.files.set(name, body)
    return md5(body)
  }
}
