import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from './files'
import { choose } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { callService, newWorkspace, programToken } from './workspaces'

const ROWS = 50_700

/** More rows than one request takes. */
const large = csvFile('large.csv', [
  ['id', 'name'],
  ...Array.from({ length: ROWS }, (_, row) => [`S${row}`, `Symptom ${row}`]),
])

describeInBrowser('a file over the limits of a request', (browser) => {
  let visit: Visit
  let workspace: string
  beforeAll(async () => {
    workspace = await newWorkspace('Large files')
    visit = await visitAt(browser(), 'Large files', 'Upload')
    visit.page.setDefaultTimeout(60_000)
    await visit.chooseCatalog('Symptoms')
  })
  afterAll(() => visit.end())

  const activeRecords = async () => {
    const answer = await callService(await programToken(workspace), '/admin/catalogs/v1/symptom')
    return ((await answer.json()) as { data: { active_records: number } }).data.active_records
  }

  it('is checked in parts; if it is interrupted the page says which rows are written, and goes on from there', async () => {
    await choose(visit, large)
    await visit.page.getByRole('button', { name: 'Add 50,700' }).waitFor()
    await visit.page.getByText('50,700 rows are valid').waitFor()
    let writes = 0
    let isDown = true
    await visit.page.route('**/admin/datasets/v1/**', async (route) => {
      const request = route.request()
      const isWrite = request.method() === 'POST' && !request.url().includes('dry_run')
      if (isWrite) {
        expect(request.headers()['content-encoding']).toBe('gzip')
        writes++
      }
      // The second part does not get through.
      if (isWrite && writes > 1 && isDown) await route.abort()
      else await route.continue()
    })
    await visit.page.getByRole('button', { name: 'Add 50,700' }).click()
    await visit.page.getByText('The upload was interrupted').waitFor()
    await visit.page.getByText('Rows 2 to 50,001 are written.').waitFor()
    await visit.page.getByText('The service did not answer whether rows 50,002 to 50,701 are written.').waitFor()
    expect(await activeRecords()).toBe(50_000)
    visit.faults.length = 0
    isDown = false
    await visit.page.getByRole('button', { name: 'Go on from there' }).click()
    await visit.page.getByText('The symptoms are up to date').waitFor()
    await visit.page.getByText('50,700 records are active.').waitFor()
    expect(await activeRecords()).toBe(50_700)
    await visit.page.unroute('**/admin/datasets/v1/**')
  })
})
