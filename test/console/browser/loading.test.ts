import { it } from 'vitest'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace } from './workspaces'

const PAGES = [
  ['Overview', 'Loading the catalogs', '**/admin/catalogs/v1/?*'],
  ['Catalog', 'Loading the list', '**/admin/datasets/v1/?*'],
  ['History', 'Loading the history', '**/admin/catalogs/v1/*/writes?*'],
  ['Partner search', 'Loading the state of medications', '**/search-status/?*'],
  ['Members', 'Loading the members', '**/admin/workspace/v1/members?*'],
] as const

describeInBrowser('what is being loaded', (browser) => {
  it('is named for screen readers on every page', async () => {
    await newWorkspace('Slow')
    const visit = await visitAt(browser(), 'Slow', 'Upload')
    for (const [page, name, address] of PAGES) {
      const answer = await visit.hold(address)
      await visit.open(page)
      const status = visit.page.getByRole('status', { name })
      await status.waitFor()
      answer()
      await status.waitFor({ state: 'detached' })
    }
    await visit.end()
  })
})
