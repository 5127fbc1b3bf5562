import type { Request } from 'playwright-core'
import { expect, it } from 'vitest'
import { csvFile } from './files'
import { NEW_PAGE } from './pages'
import { describeInBrowser, visitAt } from './visit'
import { slowDown, Wire } from './wire.mjs'
import { newWorkspace } from './workspaces'

/** What the first page may take over the wire, compressed, in bytes. */
const FIRST_PAGE_BYTES = 250_000

/** Code of other pages, of the workers, and of what only they need. */
const LATER =
  /upload|catalog-page|history-page|search-page|members-page|developers-page|watch-page|worker|workbook|xlsx|template/

/** A line on which the file below takes half a minute as it is. */
const SLOW_LINE = { bitsPerSecond: 100_000, latencyMs: 60 }

/** A catalog as a supplier has it: long names, and the same words in many rows. */
const FILE = csvFile('medications.csv', [
  ['id', 'name', 'generic_name', 'manufacturer'],
  ...Array.from({ length: 2000 }, (_, row) => [
    `M${row}`,
    `Paracetamol and caffeine ${row} mg, film-coated tablets, blister of ${row % 90}`,
    `Acetaminophen; caffeine; excipients of the usual kind ${row % 40}`,
    `Example Pharmaceuticals Industries Limited, plant ${row % 7}`,
  ]),
])

/** How often smaller it is packed, at least. */
const PACKED = 4

describeInBrowser('the weight of the console', (browser) => {
  it('of the first page, logged in, is less than 250 kB', async () => {
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
    await visit.end()
  })

  it('of a file is that of the packed file on its way, so that it gets through a slow line', async () => {
    await newWorkspace('Slow line')
    const visit = await visitAt(browser(), 'Slow line', 'Upload', NEW_PAGE)
    const sent: Request[] = []
    visit.page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/admin/datasets/')) sent.push(request)
    })
    await slowDown(visit.page, SLOW_LINE)
    await visit.page.locator('input[type=file]').setInputFiles(FILE)
    await visit.page.getByRole('button', { name: 'Add 2,000' }).click()
    await visit.page.getByText('The medications are up to date').waitFor()
    // The preview keeps it, and it is written from there.
    expect(sent).toHaveLength(1)
    for (const request of sent) {
      const headers = await request.allHeaders()
      expect(headers['content-encoding']).toBe('gzip')
      expect(Number(headers['content-length'])).toBeGreaterThan(0)
      expect(Number(headers['content-length'])).toBeLessThan(FILE.buffer.byteLength / PACKED)
    }
    await visit.end()
  })
})
