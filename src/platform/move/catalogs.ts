import { type SQL, sql } from 'drizzle-orm'
import type { Database } from '#storage/database'
import { mayFill } from '#storage/placement/fences'
import type { Attempt } from '#storage/placement/moves'
import { CATALOGS, QUOTAS, type WorkspaceTable } from '#storage/placement/workspace-tables'
import { CopyDiffers, fill } from './copy'

/** What describes a workspace and its catalogs: a handful of rows, copied when nothing changes any more. */
interface DescribedTable {
  table: WorkspaceTable
  /** Columns that identify a row. */
  key: readonly string[]
  /** Columns that are the same in both databases. */
  copied: readonly string[]
}

const namesOf = ({ columns }: WorkspaceTable): string[] => columns.map(({ name }) => name)

const DESCRIPTIONS: readonly DescribedTable[] = [
  {
    table: CATALOGS,
    key: ['workspace_id', 'type'],
    // The id is not the same.
    copied: namesOf(CATALOGS).filter((name) => name !== 'catalog_id'),
  },
  {
    table: QUOTAS,
    key: ['workspace_id'],
    // The target has counted the rows that it got.
    copied: namesOf(QUOTAS).filter((name) => !name.endsWith('_used')),
  },
]

const identifiers = (names: readonly string[]): SQL => sql.raw(names.map((name) => `"${name}"`).join(', '))

const describedRows = (database: Database, { table, key, copied }: DescribedTable, workspaceId: string) =>
  database.all(
    sql<Record<string, unknown>>`select ${identifiers(copied)} from ${identifiers([table.name])}
      where workspace_id = ${workspaceId} order by ${identifiers(key)}`,
  )

function copyRow({ table, key, copied }: DescribedTable, row: Record<string, unknown>, fills: SQL): SQL[] {
  const values = (names: readonly string[]) => names.map((name) => sql`${row[name]}`)
  const same = key.map((name) => sql`${identifiers([name])} = ${row[name]}`)
  const assignments = copied.map((name) => sql`${identifiers([name])} = ${row[name]}`)
  const into = identifiers([table.name])
  return [
    sql`insert into ${into} (${identifiers(key)}) select ${sql.join(values(key), sql`, `)} where ${fills}
      on conflict do nothing`,
    sql`update ${into} set ${sql.join(assignments, sql`, `)}
      where ${sql.join(same, sql` and `)} and ${fills}`,
  ]
}

/** Gives the copy the counters and the switches of the original catalogs, and its quotas, when nothing changes any more. */
export async function copyCatalogs(attempt: Attempt): Promise<void> {
  const { workspaceId } = attempt.move
  const fills = mayFill(workspaceId)
  const statements = await Promise.all(
    DESCRIPTIONS.map(async (description) =>
      (await describedRows(attempt.source, description, workspaceId)).flatMap((row) =>
        copyRow(description, row, fills),
      ),
    ),
  )
  await fill(attempt, statements.flat())
}

/**
 * Rows that only the copy has are no difference: the first document that is copied makes the row of the quotas, which
 * the original may lack.
 *
 * @throws CopyDiffers
 */
export async function checkCatalogs({ move, source, target }: Attempt): Promise<void> {
  for (const description of DESCRIPTIONS) {
    const [original, copy] = await Promise.all([
      describedRows(source, description, move.workspaceId),
      describedRows(target, description, move.workspaceId),
    ])
    const copied = new Set(copy.map((row) => JSON.stringify(row)))
    if (original.some((row) => !copied.has(JSON.stringify(row)))) {
      throw new CopyDiffers(description.table.name)
    }
  }
}
