import { expect, it } from 'vitest'
import { CatalogClient } from '#client/catalog-client'
import { followCatalog } from '../../docs/mirroring.md?example=follow-catalog'
import { type Fields, newCatalog } from '../support/catalog'
import { bookmark } from '../support/databases'
import { callService } from '../support/service'

interface Position {
  revision: number
  epoch: string
}

class Copy {
  readonly records = new Map<string, Fields>()
  stored: Position | null = null

  async position() {
    return this.stored
  }

  async clear() {
    this.records.clear()
    this.stored = null
  }

  async put(records: Fields[]) {
    for (const record of records) this.records.set(record.medication_id as string, record)
  }

  async finish(position: Position) {
    this.stored = position
  }
}

it('the program of the page on mirroring mirrors a catalog', async () => {
  const catalog = await newCatalog()
  const copy = new Copy()
  const tokens = { token: async () => catalog.workspace.token }
  const client = new CatalogClient({ baseUrl: '', tokens, fetch: callService })
  const follow = () => followCatalog(client, 'medication', copy)
  const same = async () => {
    expect(copy.records.size).toBe((await catalog.contents()).size)
    for (const [id, record] of copy.records) expect(record).toEqual(await catalog.get(id))
  }
  expect(await follow()).toBe(0)
  await catalog.write(catalog.records(20))
  expect(await follow()).toBe(20)
  await same()
  await catalog.reconcile(catalog.records(15, (n) => (n === 0 ? { strength: 'new' } : {})))
  expect(await follow()).toBe(6)
  await same()
  expect(await follow()).toBe(0)
  const back = await bookmark()
  await catalog.write(catalog.records(1, () => ({ strength: 'lost' })))
  expect(await follow()).toBe(1)
  await back()
  await catalog.write([catalog.record('instead')])
  expect(await follow()).toBe(21)
  await same()
})
