import { env } from 'cloudflare:workers'
import { keepTables } from './databases'

/**
 * Keeps what the catalogs are now. The returned function takes the database back to it, as D1's Time Travel or the
 * restore of a backup does.
 */
export async function bookmark(): Promise<() => Promise<void>> {
  const takeBack = await keepTables(['catalogs', 'records', 'record_versions', 'uploads'], env.DB)
  return () => takeBack(env.DB)
}
