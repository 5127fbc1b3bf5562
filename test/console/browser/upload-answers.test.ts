import { expect, it } from 'vitest'
import { csvFile } from './files'
import { button, choose, columnsAreRight, preview, written } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { newWorkspace, programToken, storedRecord } from './workspaces'

/** Lab tests in the format of an open hospital system: other words for kinds and results, and no specimen. */
const TESTS = [
  ['Uuid', 'Void/Retire', 'Fully specified name:en', 'Data class', 'Data type', 'Members', 'Units', 'Normal low'],
  ...Array.from({ length: 60 }, (_, row) => [`t${row}`, '', `Test ${row}`, 'LabTest', 'Numeric', '', 'mg/dL', '']),
  ['t60', 'TRUE', 'Old test', 'LabTest', 'N/A', '', '', ''],
  ['t61', '', 'Blood count', 'LabSet', 'N/A', 'Test 1 | Test 2', '', ''],
  ['t62', '', 'Ward', 'Misc', 'N/A', '', '', ''],
]

describeInBrowser('the answers to questions about a file', (browser) => {
  it('are given once, and the next file goes straight to the preview', async () => {
    const token = await programToken(await newWorkspace('Answers'))
    const visit = await visitAt(browser(), 'Answers', 'Upload')
    const { page } = visit
    await visit.chooseCatalog('Lab tests')
    await choose(visit, csvFile('tests.csv', TESTS))
    await page.getByText('TRUE (in 1 of 63 rows)').waitFor()
    await page.getByText('1 empty column is ignored.').waitFor()
    // The page suggests the probable meaning of the words.
    await page.getByRole('heading', { name: 'What do the values of “Data class” mean?' }).waitFor()
    expect(await page.getByLabel('What “Misc” means').locator('option:checked').innerText()).toBe('Exclude these rows')
    await button(visit, 'Use these answers').first().click()
    const ofKinds = button(visit, 'Change the answer: What do the values of “Data class” mean?')
    await ofKinds.waitFor()
    await button(visit, 'Use these answers').click()
    await page.getByLabel('61 rows need the specimen (Kind: Laboratory). Use:').fill('Serum')
    await button(visit, 'Use').click()
    await page.getByRole('radio', { name: /^Yes, they are active/ }).click()
    await visit.expectGood()
    await columnsAreRight(visit)
    expect(await preview(visit)).toMatch(/^Adds 62/)
    await button(visit, 'Add 62').click()
    await written(visit, 'lab tests')
    expect(await storedRecord(token, 'lab_test', 't7')).toMatchObject({ kind: 'laboratory', specimen: 'Serum' })
    expect(await storedRecord(token, 'lab_test', 't61')).toMatchObject({ kind: 'panel', specimen: null })
    expect(await storedRecord(token, 'lab_test', 't60')).toMatchObject({ is_active: false })

    // The next nightly file: all questions were answered before, and the answers can be changed.
    await button(visit, 'Upload another file').click()
    await choose(visit, csvFile('tests-2.csv', TESTS.with(1, ['t0', '', 'Test zero', ...TESTS[1]!.slice(3)])))
    expect(await preview(visit)).toMatch(/^Updates 1/)
    await ofKinds.click()
    await page.getByLabel('What “LabSet” means').waitFor()
  })
})
