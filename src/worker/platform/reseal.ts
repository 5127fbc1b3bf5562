import { type SQL, sql } from 'drizzle-orm'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import { type Database, int } from '#worker/storage/database'

/** Secrets re-encrypted per call. Each needs one of the 1000 statements that D1 allows per request. */
const SECRETS_PER_CALL = 200

const NOT_REVOKED = sql`revoked_at is null`

interface SealedColumn {
  table: string
  /** Column that identifies the row. Its value is part of the encryption context. */
  key: string
  column: string
  live: SQL
}

/** Encrypted columns of the control database whose values outlive a rotation of the master key. */
const CONTROL_COLUMNS: readonly SealedColumn[] = [
  { table: 'deployment', key: 'number', column: 'sealed_lookup_key', live: sql`sealed_lookup_key is not null` },
  { table: 'partner_credentials', key: 'kid', column: 'sealed_secret', live: NOT_REVOKED },
  { table: 'encryption_keys', key: 'kid', column: 'sealed_key', live: NOT_REVOKED },
]

const WORKSPACE_COLUMNS: readonly SealedColumn[] = ['sealed_secret', 'sealed_previous'].map((column) => ({
  table: 'webhooks',
  key: 'webhook_id',
  column,
  live: sql`${sql.identifier(column)} <> ''`,
}))

/** The rest of a statement after `from`, up to an `and`: active secrets encrypted under an earlier master key. */
const fromOutdated = ({ table, column, live }: SealedColumn, currentId: string): SQL =>
  sql`${sql.identifier(table)} where ${live}
      and substr(${sql.identifier(column)}, 1, ${sql.raw(String(currentId.length + 1))}) <> ${`${currentId}.`}`

async function resealColumn(
  database: Database,
  masterKeys: MasterKeys,
  sealedColumn: SealedColumn,
  limit: number,
): Promise<number> {
  const [table, key, column] = [sealedColumn.table, sealedColumn.key, sealedColumn.column].map((name) => sql.raw(name))
  const rows = await database.all<{ id: string | number; sealed: string }>(
    sql`select ${key} as id, ${column} as sealed
        from ${fromOutdated(sealedColumn, masterKeys[0].id)} limit ${int(limit)}`,
  )
  if (rows.length === 0) return 0
  const replacements = await Promise.all(
    rows.map(async ({ id: rowId, sealed }) => {
      const context = rowContext(sealedColumn.table, String(rowId))
      const resealed = await seal(masterKeys, context, await unseal(masterKeys, context, sealed))
      // A secret revoked in the meantime stays empty.
      return sql`update ${table} set ${column} = ${resealed} where ${key} = ${rowId} and ${column} = ${sealed}`
    }),
  )
  await database.retry(() => database.batch(replacements))
  return rows.length
}

/**
 * Re-encrypts secrets under the current master key, at most `SECRETS_PER_CALL`.
 *
 * @throws Error if a secret's key is not configured
 */
export async function reseal(control: Database, databases: readonly Database[], masterKeys: MasterKeys) {
  const columns = [
    ...CONTROL_COLUMNS.map((column) => ({ database: control, column })),
    ...databases.flatMap((database) => WORKSPACE_COLUMNS.map((column) => ({ database, column }))),
  ]
  let resealedCount = 0
  for (const { database, column } of columns) {
    if (resealedCount < SECRETS_PER_CALL) {
      resealedCount += await resealColumn(database, masterKeys, column, SECRETS_PER_CALL - resealedCount)
    }
  }
  let remaining = 0
  for (const { database, column } of columns) {
    const rows = fromOutdated(column, masterKeys[0].id)
    remaining += (await database.one(sql<{ n: number }>`select count(*) as n from ${rows}`)).n
  }
  return { resealed: resealedCount, remaining }
}
