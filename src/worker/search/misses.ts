import { type SQL, sql } from 'drizzle-orm'
import {
  KEPT_MISSES,
  MAX_MISS_CHARACTERS,
  MAX_MISS_DIGITS,
  MAX_MISS_WORDS,
  MIN_MISS_CHARACTERS,
  MISS_DAYS,
} from '#shared/limits'
import { normalizedText } from '#shared/records/search/added-names'
import type { RecordRow } from '#shared/records/stored-form'
import { type CatalogKey, catalogIdOf, catalogRow } from '#worker/storage/catalog-key'
import { type Database, firstOf, int, type WithSlot } from '#worker/storage/database'
import type { ServedDatabase } from '#worker/storage/placement/served-database'
import { approximateMatches, ordinaryMatch } from './query/search'

/**
 * Searches without a match (docs/contract.md#searches-without-a-result): texts that users gave up. Stored normalized,
 * with a count and two times, and with nothing about who searched.
 */

const DAY_MS = 24 * 3600 * 1000

const TOO_MANY_DIGITS = new RegExp(String.raw`\p{Nd}{${MAX_MISS_DIGITS + 1}}`, 'u')

/** The text to store; null if it may contain personal data (an email address, a number) or is not a name. */
function missText(q: string): string | null {
  const text = normalizedText(q)
  const length = [...text].length
  const isKept =
    !q.includes('@') &&
    !TOO_MANY_DIGITS.test(text) &&
    text.split(' ').length <= MAX_MISS_WORDS &&
    length >= MIN_MISS_CHARACTERS &&
    length <= MAX_MISS_CHARACTERS
  return isKept ? text : null
}

/** Texts of the catalog: the end of a statement. */
const missesOf = (catalogKey: CatalogKey): SQL => sql`search_misses where catalog_id = ${catalogIdOf(catalogKey)}`

/** Makes room for a new text by deleting those with the fewest reports, and hidden ones last. */
const makeRoom = (catalogKey: CatalogKey, text: string, now: number): SQL =>
  sql`delete from search_misses where rowid in (
      select rowid from ${missesOf(catalogKey)} order by hidden_until > ${int(now)}, reports, last_at
      limit max(0, (select count(*) from ${missesOf(catalogKey)}) - ${int(KEPT_MISSES - 1)}))
    and not exists (select 1 from ${missesOf(catalogKey)} and text = ${text})`

const addReport = (catalogKey: CatalogKey, text: string, now: number): SQL<{ reports: number }> =>
  sql`insert into search_misses (catalog_id, text, first_at, last_at)
    select catalog_id, ${text}, ${int(now)}, ${int(now)}
    from ${catalogRow(catalogKey)} and search_enabled = 1 and keeps_misses = 1
    on conflict (catalog_id, text) do update set reports = reports + 1, last_at = excluded.last_at
    returning reports`

/**
 * Stores a text that a user gave up, if partner search uses the workspace's own catalog, the catalog keeps such texts,
 * and no record is an ordinary match.
 *
 * @returns whether it was stored
 */
export async function reportMiss(db: Database, catalogKey: CatalogKey, q: string, now: Date): Promise<boolean> {
  const text = missText(q)
  if (text === null) return false
  const [matches, [catalog]] = await db.batch([
    ordinaryMatch(catalogKey.workspaceId, catalogKey.type, text),
    sql<{ keeps: number }>`select search_enabled = 1 and keeps_misses = 1 as keeps from ${catalogRow(catalogKey)}`,
  ])
  if (catalog?.keeps !== 1 || matches.some(({ row_id }) => row_id !== null)) return false
  const time = now.getTime()
  const [, reports] = await db.batch([makeRoom(catalogKey, text, time), addReport(catalogKey, text, time)])
  return reports.length > 0
}

interface MissRow {
  text: string
  reports: number
  first_at: number
  last_at: number
}

interface Miss extends MissRow {
  /** Approximate matches. */
  suggestions: RecordRow[]
}

/** Texts looked up per slot: about 200 ms in a database with a large catalog. */
const TEXTS_PER_SLOT = 10

const MOST_SUGGESTIONS = 3

/**
 * The visible texts of a catalog, most reported first, except for those that have an ordinary match by now.
 *
 * @param withSlot runs one read once it has a slot
 */
export async function listMisses(
  db: Database,
  catalogKey: CatalogKey,
  { limit, now }: { limit: number; now: Date },
  withSlot: WithSlot,
): Promise<{ enabled: boolean; total: number; items: Miss[]; found: string[] }> {
  const visible = sql`${missesOf(catalogKey)} and hidden_until <= ${int(now.getTime())}`
  const [states, totals, rows] = await withSlot(() =>
    db.batch([
      sql<{ keeps_misses: number }>`select keeps_misses from ${catalogRow(catalogKey)}`,
      sql<{ total: number }>`select count(*) as total from ${visible}`,
      sql<MissRow>`select text, reports, first_at, last_at from ${visible}
        order by reports desc, last_at desc, text limit ${int(limit)}`,
    ]),
  )
  const items: Miss[] = []
  const found: string[] = []
  for (let start = 0; start < rows.length; start += TEXTS_PER_SLOT) {
    const portion = rows.slice(start, start + TEXTS_PER_SLOT)
    const texts = portion.map(({ text }) => text)
    const { workspaceId, type } = catalogKey
    const matches = await withSlot(() => approximateMatches(db, workspaceId, type, texts, MOST_SUGGESTIONS))
    for (const [n, row] of portion.entries()) {
      const suggestions = matches[n] ?? null
      if (suggestions === null) found.push(row.text)
      else items.push({ ...row, suggestions })
    }
  }
  return {
    enabled: states[0]?.keeps_misses !== 0,
    total: firstOf(totals).total - found.length,
    items,
    found,
  }
}

export const deleteMisses = (catalogKey: CatalogKey, texts: readonly string[]): SQL =>
  sql`delete from ${missesOf(catalogKey)} and text in (select value from json_each(${JSON.stringify(texts)}))`

/** Hides a text for `MISS_DAYS`. @returns whether the catalog has it */
export async function dismissMiss(db: Database, catalogKey: CatalogKey, text: string, now: Date): Promise<boolean> {
  const until = now.getTime() + MISS_DAYS * DAY_MS
  const rows = await db.retry(() =>
    db.all(
      sql`update search_misses set hidden_until = ${int(until)}
        where catalog_id = ${catalogIdOf(catalogKey)} and text = ${normalizedText(text)} returning text`,
    ),
  )
  return rows.length > 0
}

/** Turns a catalog's reports on, or turns them off and deletes the stored texts. */
export async function setKeepsMisses(db: Database, catalogKey: CatalogKey, enabled: boolean): Promise<void> {
  const { workspaceId, type } = catalogKey
  const set = sql`insert into catalogs (workspace_id, type, keeps_misses)
    values (${workspaceId}, ${type}, ${int(enabled ? 1 : 0)})
    on conflict (workspace_id, type) do update set keeps_misses = excluded.keeps_misses`
  await db.retry(() => db.batch([set, ...(enabled ? [] : [sql`delete from ${missesOf(catalogKey)}`])]))
}

/** Deletes visible texts without a report for `MISS_DAYS`. @returns number of texts */
export async function purgeMisses(db: ServedDatabase, now: number): Promise<number> {
  const rows = await db.all(
    sql`delete from search_misses where rowid in (
        select search_misses.rowid from search_misses cross join catalogs using (catalog_id)
        where last_at < ${int(now - MISS_DAYS * DAY_MS)} and hidden_until <= ${int(now)}
          and ${db.serves(sql`catalogs.workspace_id`)} limit 1000)
      returning 1 as one`,
  )
  return rows.length
}
