import { expect, it } from 'vitest'
import { csvFile } from './files'
import { button, choose, heading, input, isFocused, link, preview, said, valueBeside, written } from './steps'
import { DESKTOP, describeInBrowser, visitAt } from './visit'
import { callService, DATASETS, filledWorkspace, storedRecord } from './workspaces'

const LEVOTHYROXINE = { medication_id: 'L1', name: 'Levothyroxine 100 mcg', strength: '100 mg', form_name: 'Tablet' }

describeInBrowser('the quality of a catalog', (browser) => {
  it('a search without a result becomes a name of a record, or is dismissed', async () => {
    const token = await filledWorkspace('Misses', 'medication', [
      { medication_id: 'A1', name: 'Acetylsalicylic acid 100 mg' },
      { medication_id: 'P1', name: 'Paracetamol 500 mg' },
    ])
    await callService(token, `${DATASETS}search-status/?type=medication`, { enabled: true })
    for (const q of ['asa', 'zzyzx']) {
      const response = await callService(token, '/medical-db/v1/search/misses', { type: 'medication', q })
      expect(await response.json()).toMatchObject({ data: { kept: true } })
    }
    const visit = await visitAt(browser(), 'Misses', 'Partner search')
    const table = visit.page.getByRole('table', { name: 'Searches without a result' })
    await table.getByText('zzyzx').waitFor()
    await visit.expectGood()
    await button(visit, 'Not ours: zzyzx').click()
    await table.getByText('zzyzx').waitFor({ state: 'detached' })
    // The next row takes the focus, at the same button.
    expect(await isFocused(button(visit, 'Not ours: asa'))).toBe(true)

    await button(visit, 'Add as a name of…: asa').click()
    const dialog = visit.page.getByRole('dialog', { name: 'Add “asa” as a name' })
    await dialog.getByRole('textbox').fill('acetyl')
    await dialog.getByRole('radio', { name: /^Acetylsalicylic acid/ }).check()
    await dialog.getByText('Uploads do not change added names.').waitFor()
    await dialog.getByRole('button', { name: 'Add name' }).click()
    await visit.page.getByText('None so far.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await isFocused(visit.page.getByRole('heading', { name: 'Searches without a result' }))).toBe(true)
    expect(await storedRecord(token, 'medication', 'A1')).toMatchObject({ added_names: ['asa'] })

    await visit.follow('/console/medication/catalog/A1')
    await heading(visit, 'Acetylsalicylic acid 100 mg')
    expect(await valueBeside(visit, 'Added names').innerText()).toContain('asa')
    await button(visit, 'Remove the name asa').click()
    await expect.poll(async () => (await storedRecord(token, 'medication', 'A1')).added_names).toEqual([])
  })

  it('possible problems are counted, listed and accepted', async () => {
    await filledWorkspace('Problems', 'medication', [
      LEVOTHYROXINE,
      { ...LEVOTHYROXINE, medication_id: 'L2', name: 'Levothyroxine 50 mcg', strength: '50 mg' },
    ])
    const visit = await visitAt(browser(), 'Problems', 'Overview')
    await link(visit, '2 possible problems').click()
    await said(visit, '2 possible problems')
    await visit.page.getByText('Strength: 100 mg, name: Levothyroxine 100 mcg').waitFor()
    await visit.expectGood()
    await button(visit, 'Accept Levothyroxine 100 mcg').click()
    await said(visit, '1 possible problem')
    const last = button(visit, 'Accept Levothyroxine 50 mcg')
    expect(await isFocused(last)).toBe(true)
    await last.press('Enter')
    await said(visit, 'No possible problems in the medications')
    await expect.poll(() => isFocused(visit.page.getByText('No possible problems in the medications'))).toBe(true)
    await visit.page.getByRole('combobox', { name: 'State' }).selectOption('Active')
    await said(visit, '2 active medications')
  })

  it('the review of an upload shows rows with possible problems and unknown dosage forms to correct', async () => {
    const token = await filledWorkspace('Corrections', 'medication', [{ medication_id: 'X', name: 'Aspirin' }])
    const visit = await visitAt(browser(), 'Corrections', 'Upload')
    await choose(
      visit,
      csvFile('new.csv', [
        ['medication_id', 'name', 'strength', 'form_name'],
        ['L1', 'Levothyroxine 100 mcg', '100 mg', 'Tablet'],
        ['P1', 'Paracetamol 500 mg', '500 mg', 'Tablt coated'],
        ['P2', 'Paracetamol 250 mg', '250 mg', 'Tablt coated'],
      ]),
    )
    expect(await preview(visit)).toBe('Adds 3, deactivates none')
    await visit.page.getByText('1 possible problem', { exact: true }).waitFor()
    await input(visit, 'Strength of row 2').fill('100 mcg')
    await button(visit, 'Apply 1 change and check again').click()
    await visit.page.getByText('1 possible problem', { exact: true }).waitFor({ state: 'detached' })
    await button(visit, 'Show the rows').click()
    await visit.page.getByText('4: Paracetamol 250 mg').waitFor()
    await visit.page.getByRole('combobox', { name: 'Use instead of “Tablt coated”' }).selectOption('Coated tablet')
    await visit.expectGood()
    await button(visit, 'Apply 1 change and check again').click()
    await visit.page.getByText('Warnings', { exact: true }).waitFor({ state: 'detached' })
    await button(visit, 'Add 3').click()
    await written(visit, 'medications')
    expect(await storedRecord(token, 'medication', 'L1')).toMatchObject({ strength: '100 mcg' })
    expect(await storedRecord(token, 'medication', 'P2')).toMatchObject({ form_name: 'Coated tablet' })
  })
})

describeInBrowser('the recent days of a catalog', (browser) => {
  it('are a chart that can be read with the keyboard day by day, and that opens the upload', async () => {
    await filledWorkspace('Days', 'symptom', [{ symptom_id: 'S1', name: 'Cough' }])
    const visit = await visitAt(browser(), 'Days', 'Overview', DESKTOP)
    const days = visit.page.getByRole('slider', { name: 'Days of the symptoms' })
    await days.focus()
    expect(await days.getAttribute('aria-valuetext')).toMatch(/^\d+ \w+: 1 added\. 1 active\.$/)
    await days.press('ArrowLeft')
    expect(await days.getAttribute('aria-valuetext')).toMatch(/: nothing was sent\. 0 active\.$/)
    expect(await visit.page.getByRole('table', { name: /^The last 30 days of the symptoms/ }).count()).toBe(1)
    await days.press('End')
    await days.press('Enter')
    await visit.page.waitForURL('**/symptom/history/*')
    await visit.page.getByText('1 added').waitFor()
    await visit.follow('/console/symptom/history')
    await days.waitFor()
  })

  it('show what happened on the day under the pointer', async () => {
    await filledWorkspace('Days', 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
    const { page } = await visitAt(browser(), 'Days', 'Overview')
    const days = page.getByRole('slider', { name: 'Days of the medications' })
    await days.scrollIntoViewIfNeeded()
    const last = Number(await days.getAttribute('aria-valuemax'))
    const { x, y, width, height } = (await days.boundingBox())!
    for (const [share, expected] of [
      [0.01, 1],
      [0.51, last / 2 + 1],
      [0.99, last],
    ] as const) {
      await page.mouse.move(x + width * share, y + height / 2)
      await expect.poll(() => days.getAttribute('aria-valuenow')).toBe(String(expected))
    }
    await page.getByText(/^\d+ \w+: 1 added\. 1 active\./).waitFor()
  })
})
