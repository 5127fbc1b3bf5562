/** What Cloudflare's API does with D1 databases: queries and imports. */
import { createHash } from 'node:crypto'
import { Refusal } from './routes.mjs'

/** The longest statement that D1 takes, in bytes. */
const STATEMENT_BYTES = 100_000
/** Imports with more statements were reported to die. */
const IMPORT_STATEMENTS = 100_000

const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')

/** Whether a text has more than comments in it. */
const isStatement = (text) => text.replaceAll(/^\s*--.*$/gm, '').trim() !== ''

/**
 * The statements of a text, as the remote side cuts it: at each semicolon that ends a line. A trigger on several lines is
 * cut inside, as it is there.
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
    // As R2 answers to a body of unknown length.
    if (headers['content-length'] === undefined) throw new Refusal(411, 10000, 'MissingContentLength')
    this.files.set(name, body)
    return md5(body)
  }
}
