import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#worker/storage/database'
import { mayFill } from '#worker/storage/placement/fences'
import type { MoveAttempt } from '#worker/storage/placement/moves'
import {
  CATALOGS,
  QUOTAS,
  SYNC_TABLES,
  type WorkspaceTable,
} from '#worker/storage/placement/workspace-tables'
import { CopyDiffers, fill } from './copy'

/** What describes a workspace and its catalogs: a handful of rows, copied when nothing changes any more. */
interface DescribedTable {
  table: WorkspaceTable
  /** Columns that identify a row. */
  key: readonly string[]
  /** Columns that are the same in both databases. */
  copied: readonly string[]
  /** Whether rows are deleted, so that an interrupted copy may have left some behind. */
  isReplaced?: true
}

const columnNames = ({ columns }: WorkspaceTable): string[] => columns.map(({ name }) => name)

const DESCRIPTIONS: readonly DescribedTable[] = [
  {
    table: CATALOGS,
    key: ['workspace_id', 'type'],
    // The id is not the same.
    copied: columnNames(CATALOGS).filter((name) => name !== 'catalog_id'),
  },
  {
    table: QUOTAS,
    key: ['workspace_id'],
    // The target has counted the rows that it got.
    copied: columnNames(QUOTAS).filter((name) => !name.endsWith('_used')),
  },
  ...SYNC_TABLES.map((table) => ({
    table,
    key: table.key,
    copied: columnNames(table),
    isReplaced: true as const,
  })),
]

const identifiers = (names: readonly string[]): SQL => sql.raw(names.map((name) => `"${name}"`).join(', '))

const describedRows = (database: Database, { table, key, copied }: DescribedTable, workspaceId: string) =>
  database.all(
    sql<DescribedRow>`select ${identifiers(copied)} from ${identifiers([table.name])}
      where workspace_id = ${workspaceId} order by ${identifiers(key)}`,
  )

type DescribedRow = Record<string, unknown>

const rowValues = (row: DescribedRow, names: readonly string[]): SQL =>
  sql.join(
    names.map((name) => sql`${row[name]}`),
    sql`, `,
  )

/** A row that the target has is changed, because other rows belong to it. */
function mergeRow({ table, key, copied }: DescribedTable, row: DescribedRow, fills: SQL): SQL[] {
  const same = key.map((name) => sql`${identifiers([name])} = ${row[name]}`)
  const assignments = copied.map((name) => sql`${identifiers([name])} = ${row[name]}`)
  const into = identifiers([table.name])
  return [
    sql`insert into ${into} (${identifiers(key)}) select ${rowValues(row, key)} where ${fills}
      on conflict do nothing`,
    sql`update ${into} set ${sql.join(assignments, sql`, `)}
      where ${sql.join(same, sql` and `)} and ${fills}`,
  ]
}

/** Makes the rows of the target those of the source. */
function copyRows(description: DescribedTable, rows: readonly DescribedRow[], workspaceId: string): SQL[] {
  const fills = mayFill(workspaceId)
  const { table, copied, isReplaced = false } = description
  if (!isReplaced) return rows.flatMap((row) => mergeRow(description, row, fills))
  const into = identifiers([table.name])
  return [
    sql`delete from ${into} where workspace_id = ${workspaceId} and ${fills}`,
    ...rows.map(
      (row) =>
        sql`insert into ${into} (${identifiers(copied)}) select ${rowValues(row, copied)} where ${fills}`,
    ),
  ]
}

/**
 * Gives the copy the counters and the switches of the original catalogs, its quotas, webhooks and watches, when nothing
 * changes any more.
 */
export async function copyCatalogs(attempt: MoveAttempt): Promise<void> {
  const { workspaceId } = attempt.move
  const statements = await Promise.all(
    DESCRIPTIONS.map(async (description) =>
      copyRows(description, await describedRows(attempt.source, description, workspaceId), workspaceId),
    ),
  )
  await fill(attempt, statements.flat())
}

/**
 * Rows that only the copy has are no difference if they are merged: the first document that is copied makes the row
 * of the quotas, which the original may lack.
 *
 * @throws CopyDiffers
 */
export async function checkCatalogs({ move, source, target }: MoveAttempt): Promise<void> {
  for (const description of DESCRIPTIONS) {
    const [original, copy] = await Promise.all([
      describedRows(source, description, move.workspaceId),
      describedRows(target, description, move.workspaceId),
    ])
    const copied = new Set(copy.map((row) => JSON.stringify(row)))
    const hasMore = description.isReplaced && copy.length > original.length
    if (hasMore || original.some((row) => !copied.has(JSON.stringify(row)))) {
      throw new CopyDiffers(description.table.name)
    }
  }
}
