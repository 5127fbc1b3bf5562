import { sql } from 'drizzle-orm'
import { CREDENTIAL_CACHE_SECONDS } from '#shared/limits'
import type { Database } from '#worker/storage/database'
import { TimedCache } from '#worker/storage/timed-cache'

/** The reserved workspace whose catalog is the provider's medical database (docs/contract.md#partner-search). */
export const PROVIDER_WORKSPACE = 'provider'

const bindings = new TimedCache<string | null>(CREDENTIAL_CACHE_SECONDS * 1000, 1)

/**
 * Name of the D1 binding of the provider's medical database; null until the operator has created it.
 *
 * @param control the control database
 */
export async function providerDatabaseBinding(control: Database, now: Date): Promise<string | null> {
  const known = bindings.get(PROVIDER_WORKSPACE, now)
  if (known) return known
  const rows = await control.all<{ database_binding: string }>(
    sql`select database_binding from workspaces where workspace_id = ${PROVIDER_WORKSPACE}`,
  )
  const binding = rows[0]?.database_binding ?? null
  bindings.set(PROVIDER_WORKSPACE, binding, now)
  return binding
}
