import { and, eq } from 'drizzle-orm'
import * as z from 'zod'
import { DEFAULT_MAX_SHRINK } from '#shared/limits'
import { required } from '#worker/http/endpoint/values'
import { type Database, firstOf } from '#worker/storage/database'
import { workspaces } from '#worker/storage/schema/control'
import { type Authority, changeAs, ifAuthorized } from './authority'

/** What a workspace can set for the people who use the console (docs/contract.md#workspace-settings). */

export const settingsSchema = z.strictObject({
  confirm_deactivation_percent: z
    .int(required('must be a whole number'))
    .min(0, 'must not be less than 0')
    .max(DEFAULT_MAX_SHRINK, `must not be more than ${DEFAULT_MAX_SHRINK}`)
    .meta({
      description:
        'Share of the active records, in percent. Before a file deactivates as many or more, the console has the ' +
        'person type how many. 0: always. Above 50 the shrink guard asks in any case.',
      example: 10,
    }),
})

type Settings = z.output<typeof settingsSchema>

export async function readSettings({ orm }: Database, workspaceId: string): Promise<Settings> {
  const columns = { confirm_deactivation_percent: workspaces.confirmDeactivationPercent }
  return firstOf(await orm.select(columns).from(workspaces).where(eq(workspaces.workspaceId, workspaceId)))
}

/** @throws ApiError as `authorityLostError` */
export async function changeSettings(authority: Authority, settings: Settings, now: Date): Promise<Settings> {
  const { workspaceId, database } = authority
  const change = database.orm
    .update(workspaces)
    .set({ confirmDeactivationPercent: settings.confirm_deactivation_percent })
    .where(and(eq(workspaces.workspaceId, workspaceId), ifAuthorized(authority)))
  await changeAs(authority, [change], now)
  return settings
}
