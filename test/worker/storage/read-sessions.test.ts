import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { newCatalog, type TestCatalog } from '../../support/catalog'
import { keepTables, single } from '../../support/databases'
import { calling } from '../../support/service'

/** A primary, a replica that does not follow it, and the arguments of the sessions. */
interface Replicated {
  bindings: typeof env
  /** The bookmark or constraint with which each session began. */
  starts: string[]
  copyNow(): Promise<void>
}

/**
 * A stand-in for a database with a read replica, which the local runtime lacks. The replica is a second database that a
 * test fills. A bookmark is the number of writes that it has seen.
 */
function replicated(): Replicated {
  const starts: string[] = []
  let written = 0
  let copied = 0
  const isRead = (text: string) => /^\s*(select|with)/i.test(text)

  const session = (start: string) => {
    starts.push(start)
    let seen = /^\d+$/.test(start) ? Number(start) : start === 'first-primary' ? Infinity : 0
    const serving = (texts: string[]) => {
      const reads = texts.every(isRead)
      if (!reads) written++
      const copy = reads && copied >= seen
      seen = copy ? copied : written
      return copy ? env.DB_2 : env.DB
    }
    return {
      prepare: (text: string) => ({
        bind: (...params: unknown[]) => {
          const on = (database: D1Database) => database.prepare(text).bind(...params)
          return { text, on, all: () => on(serving([text])).all() }
        },
      }),
      batch: (list: { text: string; on(database: D1Database): D1PreparedStatement }[]) => {
        const database = serving(list.map(({ text }) => text))
        return database.batch(list.map((statement) => statement.on(database)))
      },
      getBookmark: () => (seen === Infinity ? null : `${seen}`),
    }
  }
  const DB = {
    prepare: (text: string) => env.DB.prepare(text),
    batch: (list: D1PreparedStatement[]) => env.DB.batch(list),
    withSession: session,
  } as unknown as D1Database
  return {
    bindings: { ...single, DB, READ_REPLICATION: 'on' },
    starts,
    async copyNow() {
      await (await keepTables(['records', 'catalogs', 'workspace_quotas'], env.DB))(env.DB_2)
      copied = written
    },
  }
}

let database: Replicated
let catalog: TestCatalog

beforeEach(async () => {
  database = replicated()
  catalog = (await newCatalog()).through(calling(undefined, database.bindings))
  await catalog.write([catalog.record('a', { name: 'old' })])
  await database.copyNow()
})

const bookmarkOf = (answer: { headers: Headers }): string => answer.headers.get('X-D1-Bookmark')!

const get = (bookmark?: string) =>
  catalog.send('GET', '/a/', {}, bookmark === undefined ? {} : { headers: { 'X-D1-Bookmark': bookmark } })

const nameIn = (answer: { body: unknown }) => (answer.body as { data: { name: string } }).data.name

describe('a read', () => {
  it('uses the nearest replica, and is never older than the write or the read whose bookmark it sends', async () => {
    const written = await catalog.post([catalog.record('a', { name: 'new' })])
    database.starts.length = 0
    expect(nameIn(await get())).toBe('old')
    expect((await catalog.list()).items[0]).toMatchObject({ name: 'old' })
    expect(database.starts).toEqual(['first-unconstrained', 'first-unconstrained'])
    expect(bookmarkOf(written)).toMatch(/^DB=\d+$/)
    const first = await get(bookmarkOf(written))
    expect(nameIn(first)).toBe('new')
    expect(nameIn(await get(bookmarkOf(first)))).toBe('new')
    await database.copyNow()
    expect(nameIn(await get())).toBe('new')
  })

  it('goes to the primary if its bookmark is invalid', async () => {
    await catalog.write([catalog.record('a', { name: 'new' })])
    for (const bookmark of ['', 'nonsense', 'first-unconstrained', 'DB=first-unconstrained', 'DB_2=1', 'DB=', "DB='"]) {
      database.starts.length = 0
      expect(nameIn(await get(bookmark))).toBe('new')
      expect(database.starts).toEqual(['first-primary'])
    }
  })

  it('of a later page is never older than the first page, which may come from another replica', async () => {
    const page = async (offset: number, bookmark?: string) => {
      const headers = bookmark === undefined ? {} : { 'X-D1-Bookmark': bookmark }
      const answer = await catalog.send('GET', '/', { limit: 1, offset }, { headers })
      return { ...answer, revision: Number(/\d+/.exec(answer.headers.get('ETag')!)![0]) }
    }
    const written = await catalog.post([catalog.record('a', { name: 'new' }), catalog.record('b')])
    const first = await page(0, bookmarkOf(written))
    expect(first.revision).toBe(2)
    database.starts.length = 0
    expect((await page(1, bookmarkOf(first))).revision).toBe(2)
    const second = await page(1)
    expect(second.revision).toBe(2)
    expect(second.body).toMatchObject({ total: 2, has_more: false })
    expect(database.starts).toEqual([expect.stringMatching(/^\d+$/), 'first-primary'])
    expect((await page(0)).revision).toBe(1)
  })

  it('goes to the primary for changes since a time', async () => {
    await catalog.write([catalog.record('a', { name: 'new' })])
    expect((await catalog.list({ updated_since: '2020-01-01' })).items[0]).toMatchObject({ name: 'new' })
    database.starts.length = 0
    const off = catalog.through(calling(undefined, { ...database.bindings, READ_REPLICATION: 'off' }))
    const answer = await off.send('GET', '/a/')
    expect(nameIn(answer)).toBe('new')
    expect(answer.headers.has('X-D1-Bookmark')).toBe(false)
    expect(database.starts).toEqual([])
  })
})

it('a request that depends on a write goes to the primary: a dry run, the batches and the search setting', async () => {
  await catalog.upload('id,name\na,new\n')
  const dryRun = await catalog.write([catalog.record('a', { name: 'new' })], { dry_run: true })
  expect(dryRun.unchanged).toBe(1)
  expect((await catalog.batches()).total).toBe(1)
  await catalog.setSearch(true)
  expect(await catalog.searchStatus()).toMatchObject({ enabled: true })
})
