import { sql } from 'drizzle-orm'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'
import { expect, test } from 'vitest'
import { foundIds } from '#worker/catalog/write/sql/similar-ids'

/** One character beyond Latin-1 makes a JSON body of ten megabytes a text of two bytes for each character. */
test('the statement that compares ids has no character beyond Latin-1', () => {
  const scope = { workspaceId: 'w', type: 'medication' } as const
  const none = sql`select 1`
  const statement = foundIds(scope, { places: '[]', withNames: true }, none, none, none)
  expect(new SQLiteAsyncDialect().sqlToQuery(statement).sql).toMatch(/^[\0-\xff]+$/)
})
