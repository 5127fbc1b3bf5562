import { expect, it } from 'vitest'
import { describeInBrowser, NEW_PAGE, visitAt } from './visit'
import { Wire } from './wire.mjs'
import { newWorkspace } from './workspaces'

/** Maximum size of the first page over the wire, compressed, in bytes. */
const FIRST_PAGE_BYTES = 242_000

/** Code of other pages, of the workers, and of what only they need. */
const LATER =
  /upload|catalog-page|history-page|search-page|members-page|developers-page|watch-page|worker|workbook|xlsx|template/

describeInBrowser('the weight of the console', (browser) => {
  it('of the first page, logged in, is less than 242 kB', async () => {
    await newWorkspace('First visit')
    const visit = await visitAt(browser(), 'First visit', 'Overview', NEW_PAGE)
    const wire = await Wire.of(visit.page)
    await visit.page.goto('/console/')
    await visit.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await visit.page.waitForLoadState('networkidle')
    expect(wire.paths).toContain('/console/')
    expect(wire.paths.filter((path) => path.endsWith('.js')).length).toBeGreaterThan(1)
    expect(wire.bytes, wire.heaviest.join('\n')).toBeLessThan(FIRST_PAGE_BYTES)
    expect(wire.paths.filter((path) => path.includes('/assets/') && LATER.test(path))).toEqual([])
  })
})
