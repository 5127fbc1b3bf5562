import { sql } from 'drizzle-orm'
import { type Database, rowOfEach } from '#worker/storage/database'
import { retry } from '#worker/storage/database-faults'
import { fillGuard, unlessFenced } from '#worker/storage/placement/fences'
import { type Move, SupersededError } from '#worker/storage/placement/moves'
import {
  countUnindexed,
  insertPage,
  type Position,
  type Unit,
  type UnitPage,
  unitPage,
  unitRows,
  unitsOf,
} from './pages'

/** Something of both databases of a move. */
type BothSides<T> = Record<'source' | 'target', T>

/** The progress of a copy, as it is stored in the row of the move after each step. */
interface Progress {
  stage: 'copy' | 'compare'
  /**
   * The positions after which the copy, or the comparison, continues, by the name of the unit. Units that are done are
   * not in it.
   */
  cursors: Record<string, BothSides<Position>>
}

const startOf = (stage: Progress['stage'], workspaceId: string): Progress => ({
  stage,
  cursors: Object.fromEntries(unitsOf(workspaceId).map(({ name }) => [name, { source: null, target: null }])),
})

export const initialProgress = (workspaceId: string): string => JSON.stringify(startOf('copy', workspaceId))

class CopyDiffers extends Error {
  constructor(what: string) {
    super(`the copy of the workspace differs: ${what}`)
  }
}

/** Pages that are in memory at a time. Each takes up to 2 MB, and the statement that sends it takes as much again. */
const PAGES_HELD = 4

interface PageOfUnit {
  unit: Unit
  page: UnitPage
}

const readPages = async (database: Database, units: readonly Unit[], after: (unit: Unit) => Position) => {
  const pages = await rowOfEach(database, units, (unit) => unitPage(unit, after(unit)))
  return pages.map(({ item, row }): PageOfUnit => ({ unit: item, page: row }))
}

const positionAfter = ({ last }: UnitPage): Position => (last === null ? null : JSON.parse(last))

/** @throws SupersededError */
async function fill(target: Database, move: Move, pages: readonly PageOfUnit[]): Promise<void> {
  const nonEmpty = pages.filter(({ page }) => page.n > 0)
  if (nonEmpty.length === 0) return
  const statements = nonEmpty.flatMap(({ unit, page }) => insertPage(unit, page.rows))
  const results = await unlessFenced(() => retry(() => target.batch([fillGuard(move), ...statements])))
  if (results === null) throw new SupersededError()
}

/**
 * Copies the next pages, or compares them on both sides. Nothing else writes to the workspace in either database.
 *
 * @returns the progress, and how many records were copied; null when both sides are the same
 * @throws SupersededError; CopyDiffers
 */
export async function copyStep(
  databases: BothSides<Database>,
  move: Move,
  { stage, cursors }: Progress,
): Promise<{ progress: Progress; records: number } | null> {
  const units = unitsOf(move.workspaceId)
    .filter(({ name }) => name in cursors)
    .slice(0, PAGES_HELD)
  if (units.length === 0) {
    if (stage === 'copy') return { progress: startOf('compare', move.workspaceId), records: 0 }
    await requireIndex(databases.target, move.workspaceId)
    return null
  }
  const pagesOf = (side: keyof typeof databases) =>
    readPages(databases[side], units, ({ name }) => cursors[name]?.[side] ?? null)
  const [originals, copies] = await Promise.all([pagesOf('source'), stage === 'compare' ? pagesOf('target') : []])
  if (stage === 'copy') await fill(databases.target, move, originals)
  const next = { ...cursors }
  originals.forEach(({ unit: { name }, page }, n) => {
    const copy = copies[n]?.page
    if (stage === 'compare' && (copy?.rows !== page.rows || copy.more !== page.more)) throw new CopyDiffers(name)
    if (page.more === 1) next[name] = { source: positionAfter(page), target: copy ? positionAfter(copy) : null }
    else delete next[name]
  })
  const recordPages = stage === 'copy' ? originals.filter(({ unit }) => unit.table.searched) : []
  return { progress: { stage, cursors: next }, records: recordPages.reduce((sum, { page }) => sum + page.n, 0) }
}

/** The index is not copied: each record has an entry. @throws CopyDiffers */
async function requireIndex(target: Database, workspaceId: string): Promise<void> {
  const units = unitsOf(workspaceId).filter(({ table }) => table.searched)
  const counts = await rowOfEach(target, units, (unit) => countUnindexed(unitRows(unit)))
  const wrong = counts.find(({ row }) => row.n !== 0)
  if (wrong) throw new CopyDiffers(`the index of ${wrong.item.name}`)
}

export async function countRecords(database: Database, workspaceId: string): Promise<number> {
  const query = sql<{ n: number }>`select coalesce(sum(total_records), 0) as n from catalogs
    where workspace_id = ${workspaceId}`
  return (await database.one(query)).n
}
