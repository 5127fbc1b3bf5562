import { sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import { PROVIDER_WORKSPACE } from '#worker/search/query/statement'
import type { Database } from '#worker/storage/database'
import { timedCache } from '#worker/storage/timed-cache'

/** One entry: the binding of the provider's database. */
const providerBindings = timedCache<string>(CREDENTIAL_CACHE_SECONDS * 1000, 1)

/**
 * Name of the D1 binding of the provider's medical database; null until the operator has created it. Null is not
 * cached, so that searches find a new provider at once.
 *
 * @param control the control database
 */
export async function providerDatabaseBinding(control: Database, now: Date): Promise<string | null> {
  const cachedBinding = providerBindings.get(PROVIDER_WORKSPACE)
  if (cachedBinding !== undefined) return cachedBinding
  const [row] = await control.all<{ database_binding: string }>(
    sql`select database_binding from workspaces where workspace_id = ${PROVIDER_WORKSPACE}`,
  )
  if (row === undefined) return null
  providerBindings.set(PROVIDER_WORKSPACE, row.database_binding, { start: now.getTime() })
  return row.database_binding
}
