import { beforeEach, expect, it } from 'vitest'
import { newCatalog, type TestCatalog } from '../../support/catalog'
import { callOperator } from '../../support/credentials'
import { moveToTheEnd, several } from '../../support/databases'
import { describedData } from '../../support/responses'
import { calling } from '../../support/service'
import { ageOf, refusedUpload, setWatch } from '../../support/watches'

interface Late {
  items: { workspace_id: string; name: string; type: string; state: string; upload_id: string | null; since: string }[]
  total: number
  has_more: boolean
}

const late = async (query = ''): Promise<Late> => {
  const answer = await callOperator(`/late${query}`, undefined, 'GET', calling(undefined, several))
  return describedData('GET', '/platform/v1/late', answer)
}

let catalogs: TestCatalog[]
const idOf = (n: number) => catalogs[n]?.workspace.workspaceId ?? ''

beforeEach(async () => {
  catalogs = [await newCatalog(), await newCatalog(), await newCatalog(), await newCatalog()]
  for (const catalog of catalogs) await setWatch(catalog, { every_hours: 24 })
  await ageOf(catalogs[0]!, 'watches', 'set_at', 40)
  await ageOf(catalogs[1]!, 'watches', 'set_at', 30)
  await refusedUpload(catalogs[2]!)
})

it('GET /platform/v1/late lists the catalogs that are late or rejected, longest first', async () => {
  const all = await late()
  const { items, total } = all
  expect(total).toBe(3)
  expect(items.map(({ workspace_id, state }) => [workspace_id, state])).toEqual([
    [idOf(0), 'late'],
    [idOf(1), 'late'],
    [idOf(2), 'refused'],
  ])
  expect(items[0]).toMatchObject({ name: 'a workspace', upload_id: null })
  expect(items[2]?.upload_id).toEqual(expect.any(String))
  await moveToTheEnd(idOf(0), 'DB_2')
  await moveToTheEnd(idOf(2), 'DB_3')
  expect(await late()).toEqual(all)
  const pages = [await late('?limit=2'), await late('?limit=2&offset=2')]
  expect(pages.flatMap(({ items }) => items)).toEqual(all.items)
  expect(pages.map(({ total, has_more }) => [total, has_more])).toEqual([
    [3, true],
    [3, false],
  ])
})
