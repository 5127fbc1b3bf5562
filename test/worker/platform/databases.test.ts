import type { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { newCatalog } from '../../support/catalog'
import { callOperator } from '../../support/credentials'
import { databaseOf, execute, moveToTheEnd, rowsIn, several } from '../../support/databases'
import { expectFieldError } from '../../support/responses'
import { calling, dataFrom } from '../../support/service'

async function created(body: object, bindings: typeof env = several): Promise<string> {
  const call = calling(undefined, bindings)
  const answer = callOperator('/workspaces', { name: 'a workspace', ...body }, 'POST', call)
  const { workspace_id, database } = await dataFrom<{ workspace_id: string; database: string }>(answer)
  expect(await databaseOf(workspace_id)).toBe(database)
  return database
}

async function databases(bindings: typeof env = several) {
  const answer = callOperator('/databases', undefined, 'GET', calling(undefined, bindings))
  return (await dataFrom<{ items: Record<string, unknown>[] }>(answer)).items
}

describe('a new workspace', () => {
  it('goes to the accepting database with the fewest workspaces, or to the named one', async () => {
    const placed = async (count: number, open: string) => {
      const databases = []
      for (let n = 0; n < count; n++) databases.push(await created({}, { ...several, NEW_WORKSPACES_IN: open }))
      return databases
    }
    expect(await placed(4, '')).toEqual(['DB', 'DB_2', 'DB_3', 'DB'])
    expect(await placed(3, 'DB_3, DB_2')).toEqual(['DB_3', 'DB_2', 'DB_3'])
    expect(await created({ database: 'DB_3' }, { ...several, NEW_WORKSPACES_IN: 'DB' })).toBe('DB_3')
  })

  it('is rejected for an unknown database', async () => {
    for (const database of ['DB_9', 'ASSETS', '__proto__']) {
      const body = { name: 'a workspace', database }
      const response = await callOperator('/workspaces', body, 'POST', calling(undefined, several))
      await expectFieldError(response, 'database', 'must be one of DB, DB_2, DB_3')
    }
  })
})

it('GET /platform/v1/databases shows how full each database is, without old copies of moved workspaces', async () => {
  const catalog = await newCatalog()
  await catalog.write(catalog.records(5))
  const before = await databases({ ...several, NEW_WORKSPACES_IN: 'DB_2' })
  expect(before).toEqual([
    { database: 'DB', workspaces: 1, records: 5, size_bytes: expect.any(Number), open: false },
    { database: 'DB_2', workspaces: 0, records: 0, size_bytes: expect.any(Number), open: true },
    { database: 'DB_3', workspaces: 0, records: 0, size_bytes: expect.any(Number), open: false },
  ])
  expect(before[0]!.size_bytes).toBeGreaterThan(4096)
  await moveToTheEnd(catalog.workspace.workspaceId, 'DB_2')
  expect(await databases()).toMatchObject([
    { database: 'DB', workspaces: 0, records: 0 },
    { database: 'DB_2', workspaces: 1, records: 5 },
    { database: 'DB_3', workspaces: 0, records: 0 },
  ])
})

it('an unbound database causes an error for its own workspaces only', async () => {
  const [lost, well] = [await newCatalog(), await newCatalog()]
  await well.write(well.records(2))
  await execute("update workspaces set database_binding = 'DB_9' where workspace_id = ?", lost.workspace.workspaceId)
  const { message } = await lost.refused(500, lost.post([lost.record('a')]))
  expect(message).not.toContain('DB_9')
  expect(await rowsIn('DB', 'records')).toBe(2)
  expect(await databases()).toHaveLength(3)
})
