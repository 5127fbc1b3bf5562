import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { CLIENT_SCOPES } from '#shared/access/caller'
import { purgeWrites } from '#worker/catalog/history/purge'
import { controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { runScheduled } from '../../src/worker/scheduled'
import { newCatalog, type TestCatalog } from './catalog'
import { tokenWith } from './credentials'
import { single } from './databases'

/** A month of feeds: programs that send one record a second, each to its own workspace. */
export interface Feeds {
  workspaces: number
  /** Records of each catalog. */
  records: number
  /** Scheduled runs within the month. */
  runs: number
  /** Writes of each feed between two runs; one in four changes nothing. */
  writes: number
  /** Bytes that the history of a workspace may take: its quota, less by as much as there are fewer writes. */
  historyBytes: number
  /** Newest writes of a catalog that are kept. */
  keptWrites: number
}

/** What was there after a scheduled run. */
export interface AfterRun {
  uploads: number
  versions: number
  words: number
  /** Of all writes since the run before: the most that one read. */
  rowsRead: number
  /** Answers other than 200. */
  refused: number
}

const MONTH_MS = 30 * 24 * 3600 * 1000

const TABLES = {
  uploads: 'uploads',
  versions: 'record_versions',
  words: 'search_words',
} as const

async function sizes(): Promise<Record<keyof typeof TABLES, number>> {
  const names = Object.keys(TABLES) as (keyof typeof TABLES)[]
  const counts = await env.DB.batch<{ n: number }>(
    names.map((name) => env.DB.prepare(`select count(*) as n from ${TABLES[name]}`)),
  )
  const all = names.map((name, n) => [name, counts[n]!.results[0]!.n] as const)
  return Object.fromEntries(all) as Record<keyof typeof TABLES, number>
}

/** Letters that make a name which no other number has. */
const nameOf = (n: number): string => [...String(n)].map((digit) => 'bcdfghjklm'[Number(digit)]).join('')

/** Runs the feeds with a clock of its own. @returns what was there after each run */
export async function feed(feeds: Feeds): Promise<AfterRun[]> {
  vi.useFakeTimers({ toFake: ['Date'] })
  let now = Date.now()
  const rows: number[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => {
    const { method, rows_read } = JSON.parse(line)
    if (method === 'POST') rows.push(rows_read)
  })
  const catalogs: TestCatalog[] = []
  for (let n = 0; n < feeds.workspaces; n++) {
    const catalog = await newCatalog()
    await catalog.write(catalog.records(feeds.records, (m) => ({ name: `Tablet ${nameOf(m)} x` })))
    const { workspaceId } = catalog.workspace
    await env.DB.batch([
      env.DB.prepare('update catalogs set stored_bytes = 0 where workspace_id = ?').bind(workspaceId),
      env.DB.prepare('update workspace_quotas set bytes = ? where workspace_id = ?').bind(
        feeds.historyBytes,
        workspaceId,
      ),
    ])
    catalogs.push(catalog)
  }
  const db = controlDatabase(env, new Meter())
  const interval = MONTH_MS / feeds.runs
  const after: AfterRun[] = []
  for (let run = 0, sent = 0; run < feeds.runs; run++) {
    let refused = 0
    rows.length = 0
    for (let write = 0; write < feeds.writes; write++, sent++) {
      now += interval / feeds.writes
      vi.setSystemTime(now)
      for (const catalog of catalogs) {
        // Three of four writes change a record, and its name; the fourth sends it once more.
        const change = sent - (sent % 4 === 3 ? 1 : 0)
        const record = catalog.record(`r${change % feeds.records}`, {
          name: `Tablet ${nameOf(feeds.records + change)} x`,
          strength: `${change} mg`,
        })
        // The clock runs past the end of every token.
        catalog.workspace.token = await tokenWith(CLIENT_SCOPES, catalog.workspace)
        const { status } = await catalog.post([record])
        if (status !== 200) refused++
      }
    }
    const rowsRead = Math.max(...rows)
    await runScheduled(single, new Date(now))
    await purgeWrites(db, now, feeds.keptWrites)
    after.push({ ...(await sizes()), rowsRead, refused })
  }
  log.mockRestore()
  return after
}
