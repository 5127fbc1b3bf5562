import { eq } from 'drizzle-orm'
import * as z from 'zod'
import type { Database } from '#worker/storage/database'
import { apiKeys, clients } from '#worker/storage/schema/control'

/** Programs that are named. A workspace has a handful. */
const MOST_PROGRAMS = 1000

export const programsSchema = z.strictObject({
  items: z.array(
    z
      .strictObject({ client_id: z.string(), name: z.string() })
      .meta({ id: 'Program', description: 'A client, as histories name it.' }),
  ),
})

/** The clients that have, or had, an API key of a workspace, by name. */
export async function listPrograms({ orm }: Database, workspaceId: string): Promise<z.output<typeof programsSchema>> {
  const items = await orm
    .selectDistinct({ client_id: clients.clientId, name: clients.name })
    .from(apiKeys)
    .innerJoin(clients, eq(clients.clientId, apiKeys.clientId))
    .where(eq(apiKeys.workspaceId, workspaceId))
    .orderBy(clients.name, clients.clientId)
    .limit(MOST_PROGRAMS)
  return { items }
}
