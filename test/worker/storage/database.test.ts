import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { expect, expectTypeOf, it } from 'vitest'
import { controlDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'

const database = controlDatabase(env, new Meter())

const number = (n: number) => sql<{ n: number }>`select cast(${n} as integer) as n`
const none = sql<{ n: number }>`select 1 as n where false`

it('a batch returns the rows of each statement, with the type of its own rows, or those of the last one', async () => {
  const [numbers, texts] = await database.batch([number(1), sql<{ text: string }>`select 'x' as text`])
  expectTypeOf(numbers).toEqualTypeOf<{ n: number }[]>()
  expectTypeOf(texts).toEqualTypeOf<{ text: string }[]>()
  expect([numbers, texts]).toEqual([[{ n: 1 }], [{ text: 'x' }]])
  expect(await database.batchEnding([none, number(1), number(2)])).toEqual([{ n: 2 }])
})

it('an error is reported if a statement that always returns a row returns none', async () => {
  expect(await database.one(number(3))).toEqual({ n: 3 })
  await expect(database.one(none)).rejects.toThrow('a statement that always gives a row gave none')
})
