import { expect, it } from 'vitest'
import { CatalogClient } from '#client/catalog-client'
import { restoreWorkspace } from '../../samples/operator/restore-workspace.mjs'
import { newCatalog, type TestCatalog } from '../support/catalog'
import { callService } from '../support/service'

it('the program of the page on backups restores one workspace, and deactivates later records', async () => {
  const [backup, live] = [await newCatalog('symptom'), await newCatalog('symptom')]
  const clientOf = ({ workspace: { token } }: TestCatalog) =>
    new CatalogClient({ baseUrl: '', tokens: { token: async () => token }, fetch: callService })
  const restore = (dryRun: boolean) => restoreWorkspace(clientOf(backup), clientOf(live), { dryRun })
  const inactive = { name: 'Inactive', is_active: false }
  await backup.write([...backup.records(5, () => ({ aliases: ['one'] })), backup.record('gone', inactive)])
  await live.write([live.record('r0', { name: 'A mistake' }), live.record('new')])
  const before = await live.contents()
  expect((await restore(true)).symptom).toEqual({ restored: 6, deactivated: 1 })
  expect(await live.contents()).toEqual(before)
  await restore(false)
  expect(await live.contents()).toEqual(
    new Map([...(await backup.contents()), ['new', { ...before.get('new'), is_active: false }]]),
  )
})
