import { env } from 'cloudflare:workers'

const TABLES = ['catalogs', 'records', 'record_versions', 'uploads']

/**
 * Keeps what the catalogs are now. The returned function takes the database back to it, as D1's Time Travel or the
 * restore of a backup does.
 */
export async function bookmark(): Promise<() => Promise<void>> {
  const kept = await Promise.all(
    TABLES.map(async (table) => ({
      table,
      rows: (await env.DB.prepare(`select * from ${table}`).all<Record<string, unknown>>()).results,
    })),
  )
  return async () => {
    await env.DB.batch(
      kept.flatMap(({ table, rows }) => [
        env.DB.prepare(`delete from ${table}`),
        ...rows.map((row) =>
          env.DB.prepare(
            `insert into ${table} (${Object.keys(row).join()}) values (${Object.keys(row).map(() => '?')})`,
          ).bind(...Object.values(row)),
        ),
      ]),
    )
  }
}
