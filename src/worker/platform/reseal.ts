import { type SQL, sql } from 'drizzle-orm'
import type { MasterKeys } from '#worker/crypto/master-keys'
import { rowContext, seal, unseal } from '#worker/crypto/seal'
import type { Database } from '#worker/storage/database'
import { isElsewhere, isRefused } from '#worker/storage/placement/fences'
import type { ResealResult } from './schemas'

/** Secrets that one call seals again. Each takes one of the 1000 statements that D1 allows per request. */
const SECRETS_PER_CALL = 200

const NOT_REVOKED = sql`revoked_at is null`

/** Condition: the database serves the workspace. The copy that a move leaves behind is deleted as it is. */
const SERVED_WEBHOOK = sql`not ${isElsewhere(sql`webhooks.workspace_id`)}`

/** Condition: the workspace may be changed. While a move copies a webhook, it stays as it is. */
const CHANGEABLE = sql`not ${isRefused(sql`webhooks.workspace_id`)}`

interface SealedColumn {
  table: string
  /** Identifies the row, in the context of the sealed value too. */
  key: string
  column: string
  /** Condition: the value is needed. */
  live: SQL
  /** Condition: the row may be changed now. */
  changeable?: SQL
}

/** The columns of sealed values that live longer than a rotation: in the control database. */
const CONTROL_COLUMNS: readonly SealedColumn[] = [
  { table: 'lookup_keys', key: 'number', column: 'sealed_key', live: sql`true` },
  { table: 'partner_credentials', key: 'kid', column: 'sealed_secret', live: NOT_REVOKED },
  { table: 'encryption_keys', key: 'kid', column: 'sealed_key', live: NOT_REVOKED },
]

/** Sealed columns of every database with workspaces. */
const SEALED_OF_WORKSPACES: readonly SealedColumn[] = ['sealed_secret', 'sealed_previous'].map((column) => ({
  table: 'webhooks',
  key: 'webhook_id',
  column,
  live: sql`${sql.identifier(column)} <> '' and ${SERVED_WEBHOOK}`,
  changeable: CHANGEABLE,
}))

/** Rows of live secrets under an earlier master key. Revoked ones are empty. */
const outdatedRows = ({ table, column, live }: SealedColumn, currentId: string): SQL =>
  sql`${sql.identifier(table)} where ${live}
      and substr(${sql.identifier(column)}, 1, ${sql.raw(String(currentId.length + 1))}) <> ${`${currentId}.`}`

/** Exchanges one sealed value for another. One that was revoked in between stays empty. */
const exchangeSealed = (
  { table, key, column, changeable = sql`true` }: SealedColumn,
  id: string | number,
  from: string,
  to: string,
): SQL =>
  sql`update ${sql.identifier(table)} set ${sql.identifier(column)} = ${to}
      where ${sql.identifier(key)} = ${id} and ${sql.identifier(column)} = ${from} and ${changeable}`

async function resealColumn(
  database: Database,
  masterKeys: MasterKeys,
  sealedColumn: SealedColumn,
  limit: number,
): Promise<number> {
  const [{ id }] = masterKeys
  const rows = await database.all<{ id: string | number; sealed: string }>(
    sql`select ${sql.identifier(sealedColumn.key)} as id, ${sql.identifier(sealedColumn.column)} as sealed
        from ${outdatedRows(sealedColumn, id)}
          and ${sealedColumn.changeable ?? sql`true`} limit ${sql.raw(String(limit))}`,
  )
  if (rows.length === 0) return 0
  const exchanges = await Promise.all(
    rows.map(async ({ id: rowId, sealed }) => {
      const context = rowContext(sealedColumn.table, String(rowId))
      const resealed = await seal(masterKeys, context, await unseal(masterKeys, context, sealed))
      return exchangeSealed(sealedColumn, rowId, sealed, resealed)
    }),
  )
  await database.retry(() => database.batch(exchanges))
  return rows.length
}

async function countOutdated(database: Database, column: SealedColumn, currentId: string): Promise<number> {
  const query = sql<{ n: number }>`select count(*) as n from ${outdatedRows(column, currentId)}`
  return (await database.one(query)).n
}

/**
 * Seals secrets under the current master key that are still sealed under an earlier one, at most
 * `SECRETS_PER_CALL`, so that a call stays small. Secrets in use can be read before and after.
 *
 * @param databases those with workspaces
 * @returns how many were sealed, and how many remain for further calls
 * @throws Error when the master key of one is not configured, as `unseal`
 */
export async function reseal(
  control: Database,
  databases: readonly Database[],
  masterKeys: MasterKeys,
): Promise<ResealResult> {
  const sealed = [
    ...CONTROL_COLUMNS.map((column) => ({ database: control, column })),
    ...databases.flatMap((database) => SEALED_OF_WORKSPACES.map((column) => ({ database, column }))),
  ]
  let resealed = 0
  for (const { database, column } of sealed) {
    if (resealed < SECRETS_PER_CALL) {
      resealed += await resealColumn(database, masterKeys, column, SECRETS_PER_CALL - resealed)
    }
  }
  let remaining = 0
  for (const { database, column } of sealed) remaining += await countOutdated(database, column, masterKeys[0].id)
  return { resealed, remaining }
}
