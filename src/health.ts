import { sql } from 'drizzle-orm'
import type { AppContext } from '#http/context'
import { controlDatabase } from '#storage/database'

/** `GET /health`: answers once the database does. */
export async function health(c: AppContext): Promise<Response> {
  await controlDatabase(c.env, c.var.meter).all(sql`select 1 as ok`)
  return c.json({ success: true, message: 'ok' })
}
