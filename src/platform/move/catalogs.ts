import { type SQL, sql } from 'drizzle-orm'
import { mayFill } from '#storage/fences'
import type { Attempt } from '#storage/moves'
import { CATALOGS } from '#storage/workspace-tables'
import { CopyDiffers, fill } from './copy'

/** Columns of a catalog that are the same in both databases. The id is not the same. */
const COLUMNS = CATALOGS.columns.map(({ name }) => name).filter((name) => name !== 'catalog_id')

const catalogsOf = (workspaceId: string): SQL =>
  sql`select ${sql.join(
    COLUMNS.map((name) => sql.raw(`"${name}"`)),
    sql`, `,
  )} from catalogs where workspace_id = ${workspaceId} order by type`

/** Gives the copied catalogs the counters and the switch of the originals, when nothing changes any more. */
export async function copyCatalogs(attempt: Attempt): Promise<void> {
  const { workspaceId } = attempt.move
  const rows = await attempt.source.all<Record<string, unknown>>(catalogsOf(workspaceId))
  const fills = mayFill(workspaceId)
  await fill(
    attempt,
    rows.flatMap((row) => [
      sql`insert into catalogs (workspace_id, type) select ${workspaceId}, ${row.type} where ${fills}
        on conflict do nothing`,
      sql`update catalogs set ${sql.join(
        COLUMNS.map((name) => sql`${sql.raw(`"${name}"`)} = ${row[name]}`),
        sql`, `,
      )} where workspace_id = ${workspaceId} and type = ${row.type} and ${fills}`,
    ]),
  )
}

/** @throws CopyDiffers */
export async function checkCatalogs({ move, source, target }: Attempt): Promise<void> {
  const [original, copy] = await Promise.all(
    [source, target].map((database) => database.all(catalogsOf(move.workspaceId))),
  )
  if (JSON.stringify(original) !== JSON.stringify(copy)) throw new CopyDiffers('catalogs')
}
