import { type SQL, sql } from 'drizzle-orm'
import { mayFill } from '#storage/fences'
import { CATALOGS } from '#storage/workspace-tables'
import { CopyDiffers, type Ends, fill } from './copy'

/** Columns of a catalog that are the same in both databases; its id is not. */
const COLUMNS = CATALOGS.columns.map(({ name }) => name).filter((name) => name !== 'catalog_id')

const catalogsOf = (workspaceId: string): SQL =>
  sql`select ${sql.join(
    COLUMNS.map((name) => sql.raw(`"${name}"`)),
    sql`, `,
  )} from catalogs where workspace_id = ${workspaceId} order by type`

/** Gives the copied catalogs the counters and the switch of the originals. Comes last, when nothing changes any more. */
export async function copyCatalogs(ends: Ends): Promise<void> {
  const { workspaceId, attempt } = ends.move
  const rows = await ends.source.all<Record<string, unknown>>(catalogsOf(workspaceId))
  const fills = mayFill(workspaceId, attempt)
  await fill(
    ends,
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
export async function checkCatalogs({ move, source, target }: Ends): Promise<void> {
  const [original, copy] = await Promise.all(
    [source, target].map((database) => database.all(catalogsOf(move.workspaceId))),
  )
  if (JSON.stringify(original) !== JSON.stringify(copy)) throw new CopyDiffers('catalogs')
}
