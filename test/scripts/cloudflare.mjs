/**
 * A stand-in for those calls of Cloudflare's API that a backup and a restore make. It runs SQL in SQLite, takes a
 * file as one transaction and refuses statements that are too long, as D1 does; it puts off some calls and answers
 * others in steps.
 */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'

const TOKEN = 'token of the stand-in'
const ACCOUNT = 'account-1'
/** The longest statement that D1 takes, in bytes. */
const D1_STATEMENT_BYTES = 100_000

/** A text as D1 exports it. */
export function exportedText(text) {
  const quoted = `'${text.replaceAll("'", "''").replaceAll('\r', '\\r').replaceAll('\n', '\\n')}'`
  const returns = text.includes('\r') ? `replace(${quoted},'\\r',char(13))` : quoted
  return text.includes('\n') ? `replace(${returns},'\\n',char(10))` : returns
}

const exported = (value) =>
  value === null ? 'NULL' : typeof value === 'string' ? exportedText(value) : String(value)

function exportOf(sqlite, tables) {
  const lines = ['PRAGMA defer_foreign_keys=TRUE;']
  for (const table of tables) {
    for (const row of sqlite.prepare(`SELECT * FROM "${table}"`).all()) {
      const columns = Object.keys(row).map((name) => `"${name}"`)
      lines.push(`INSERT INTO "${table}" (${columns}) VALUES(${Object.values(row).map(exported)});`)
    }
  }
  return lines.join('\n')
}

function inTransaction(sqlite, sql) {
  sqlite.exec('BEGIN')
  try {
    sqlite.exec(sql)
    sqlite.exec('COMMIT')
  } catch (error) {
    sqlite.exec('ROLLBACK')
    throw error
  }
}

const done = (result) => ({ success: true, messages: [], status: 'complete', result })
const underWay = (at_bookmark) => ({ success: true, messages: [], status: 'active', at_bookmark })
const md5 = (bytes) => createHash('md5').update(bytes).digest('hex')

async function bodyOf(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/**
 * Starts the stand-in, and names it in the environment of this process.
 *
 * @returns `database(id)` is a database, `objects` has the buckets, each call is in `calls`
 */
export async function startStandIn() {
  const databases = new Map()
  const objects = new Map()
  const files = new Map()
  const calls = []
  let origin = ''

  const database = (id) => {
    if (!databases.has(id)) databases.set(id, new DatabaseSync(':memory:'))
    return databases.get(id)
  }

  const imports = {
    init: ({ etag }) => ({ ...underWay('b'), upload_url: `${origin}/files/${etag}`, filename: etag }),
    ingest: () => underWay('b'),
    poll: () => undefined,
  }

  const d1 = {
    query: (sqlite, { sql }) => {
      if (!/^\s*SELECT\b/.test(sql)) {
        inTransaction(sqlite, sql)
        return [{ success: true, results: [], meta: {} }]
      }
      return [{ success: true, results: sqlite.prepare(sql).all(), meta: {} }]
    },
    export: (sqlite, { current_bookmark, dump_options: { tables } }) => {
      if (current_bookmark === undefined) return underWay('b')
      files.set('export', Buffer.from(exportOf(sqlite, tables)))
      return done({ signed_url: `${origin}/files/export` })
    },
    import: (sqlite, body) => {
      if (body.action !== 'poll') {
        files.set('name', body.etag)
        return imports[body.action](body)
      }
      const text = files.get(files.get('name')).toString()
      if (text.split('\n').some((line) => Buffer.byteLength(line) > D1_STATEMENT_BYTES))
        return { ...done(), status: 'error', errors: ['statement too long: SQLITE_TOOBIG'] }
      try {
        inTransaction(sqlite, text)
      } catch (error) {
        return { ...done(), status: 'error', errors: [error.message] }
      }
      return done({ num_queries: 1 })
    },
  }

  const answers = [
    [
      /^\/files\/(\w+)$/,
      async ([, name], request) => {
        if (request.method === 'GET') return new Response(files.get(name))
        // As R2 answers to a body of unknown length.
        if (request.headers['content-length'] === undefined) return new Response('', { status: 411 })
        files.set(name, await bodyOf(request))
        return new Response('', { headers: { ETag: md5(files.get(name)) } })
      },
    ],
    [/^\/accounts$/, async () => Response.json({ result: [{ id: ACCOUNT, name: 'One' }] })],
    [
      /^\/accounts\/account-1\/d1\/database\/([\w-]+)\/(\w+)$/,
      async ([, id, action], request) => {
        const body = JSON.parse((await bodyOf(request)).toString())
        try {
          return Response.json({ success: true, result: d1[action](database(id), body) })
        } catch (error) {
          return Response.json({ errors: [{ code: 7500, message: error.message }] }, { status: 400 })
        }
      },
    ],
    [
      /^\/accounts\/account-1\/r2\/buckets\/([\w-]+)\/objects\/(.+)$/,
      async ([path], request) => {
        const isFirst = calls.filter(({ path: other }) => other === path).length === 1
        if (isFirst) return new Response('slowly', { status: 429, headers: { 'Retry-After': '0' } })
        const [, bucket, key] = /\/buckets\/([\w-]+)\/objects\/(.+)$/.exec(path)
        if (request.method === 'PUT') {
          objects.set(`${bucket}/${key}`, await bodyOf(request))
          return Response.json({ success: true, result: {} })
        }
        const bytes = objects.get(`${bucket}/${key}`)
        const errors = [{ code: 10007, message: 'The specified key does not exist.' }]
        return bytes ? new Response(bytes) : Response.json({ errors }, { status: 404 })
      },
    ],
  ]

  async function answer(request) {
    const path = request.url
    calls.push({ method: request.method, path })
    if (path.startsWith('/accounts') && request.headers.authorization !== `Bearer ${TOKEN}`)
      return Response.json({ errors: [{ code: 10000, message: 'Authentication error' }] }, { status: 403 })
    const [pattern, handler] = answers.find(([each]) => each.test(path)) ?? []
    return handler ? handler(pattern.exec(path), request) : new Response(`no ${path}`, { status: 501 })
  }

  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request)
    response.writeHead(status, Object.fromEntries(headers))
    response.end(body === null ? '' : Buffer.from(await new Response(body).arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${server.address().port}`
  Object.assign(process.env, { CLOUDFLARE_API_BASE_URL: origin, CLOUDFLARE_API_TOKEN: TOKEN })
  return { calls, database, databases, objects, close: () => server.close() }
}
