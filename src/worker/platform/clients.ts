import { and, eq, isNull, sql } from 'drizzle-orm'
import { ApiError } from '#shared/errors/errors'
import { newClient, roomForClient } from '#worker/auth/client-credentials'
import { type Database, int, rowIf } from '#worker/storage/database'
import { isoTime, type PageRequest, readPage } from '#worker/storage/list-page'
import { hasRoom, requireRoom } from '#worker/storage/quotas'
import { apiKeys, clients } from '#worker/storage/schema/control'
import { forgetCached } from '#worker/storage/timed-cache'
import { REVOKED } from '#worker/workspace/revocable-rows'

/** Creates a client. Only this response contains its secret; its hash is stored. @throws ApiError 409 at the limit */
export async function createClient(database: Database, { name }: { name: string }, now: Date) {
  const { row, credentials } = await newClient(name, now)
  const { orm } = database
  const room = roomForClient(database, row.clientId)
  const [counts] = await database.retry(() =>
    orm.batch([
      room.others,
      // The ID is random: a conflict is this same row, from an attempt whose response was lost.
      orm
        .insert(clients)
        .select(rowIf(clients, row, hasRoom(room)))
        .onConflictDoNothing(),
    ]),
  )
  requireRoom(room, counts)
  return credentials
}

const CLIENT_COLUMNS = { client_id: clients.clientId, name: clients.name, created_at: isoTime(clients.createdAt) }

export const listClients = (database: Database, page: PageRequest) =>
  readPage(database, clients, CLIENT_COLUMNS, isNull(clients.revokedAt), page)

/** Revokes a client with all its API keys and access tokens. Idempotent. @throws ApiError 404 */
export async function revokeClient(database: Database, clientId: string, now: Date) {
  const { orm } = database
  const [[revoked]] = await database.retry(() =>
    orm.batch([
      orm
        .update(clients)
        .set({ revokedAt: sql`coalesce(${clients.revokedAt}, ${int(now.getTime())})` })
        .where(eq(clients.clientId, clientId))
        .returning({ clientId: clients.clientId }),
      orm
        .update(apiKeys)
        .set({ revokedAt: int(now.getTime()) })
        .where(and(eq(apiKeys.clientId, clientId), isNull(apiKeys.revokedAt))),
    ]),
  )
  if (!revoked) throw new ApiError('not_found', 'There is no client with this ID.')
  forgetCached(clientId)
  return REVOKED
}
