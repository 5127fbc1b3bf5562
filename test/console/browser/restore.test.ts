import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { button, heading, kinds, link, preview } from './steps'
import { describeInBrowser, visitAt } from './visit'
import { ADMIN, newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

const symptom = (number: number, fields: Record<string, unknown> = {}) => ({
  symptom_id: `S${number}`,
  name: `Symptom ${number}`,
  ...fields,
})

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1)

describeInBrowser('an undo that keeps later changes', (browser) => {
  it('asks again if more records were changed in the meantime', async () => {
    const token = await programToken(await newWorkspace('Later'))
    await writeRecords(token, 'symptom', [symptom(1), symptom(2), symptom(3)])
    await writeRecords(
      token,
      'symptom',
      [1, 2, 3].map((number) => symptom(number, { name: 'Wrong' })),
    )
    await writeRecords(token, 'symptom', [symptom(1, { name: 'Mended' })])
    const visit = await visitAt(browser(), 'Later', 'History')
    await visit.follow('/console/symptom/history')
    await visit.page.getByRole('link', { name: 'Undo this import' }).nth(1).click()
    await visit.page.getByText('2 of 3 can be undone').waitFor()
    await button(visit, 'Keep it as it is').click()
    await writeRecords(token, 'symptom', [symptom(2, { name: 'Mended too' })])
    await button(visit, 'Update 2').click()
    await visit.page.getByText('1 of 3 can be undone').waitFor()
    expect(await button(visit, 'Update 1').isDisabled()).toBe(true)
    await button(visit, 'Keep them as they are').click()
    await button(visit, 'Update 1').click()
    await visit.page.getByRole('status').filter({ hasText: 'Updated 1' }).waitFor()
    expect(await storedRecord(token, 'symptom', 'S2')).toMatchObject({ name: 'Mended too' })
  })
})

/** Opens the history of a catalog after a bad file: one value is lost, one record missing, ten records too many. */
async function beginAfterBadFile(browser: Browser) {
  const token = await programToken(await newWorkspace('Bad file'))
  await writeRecords(
    token,
    'symptom',
    numbers(20).map((number) => symptom(number)),
  )
  await writeRecords(token, 'symptom&mode=reconcile', [
    ...numbers(19).map((number) => symptom(number, number === 1 ? { name: 'Wrong' } : {})),
    ...numbers(10).map((number) => symptom(100 + number)),
  ])
  const visit = await visitAt(browser, 'Bad file', 'History')
  await visit.chooseCatalog('Symptoms')
  return {
    ...{ visit, token, page: visit.page },
    stored: (number: number) => storedRecord(token, 'symptom', `S${number}`),
    status: visit.page.getByRole('status').filter({ hasText: /^(Updated|Reactivated|Deactivated)/ }),
    typed: visit.page.getByRole('textbox', { name: 'To continue, type the number' }),
    confirm: button(visit, 'Update 1, reactivate 1, deactivate 10'),
  }
}

/** Undoes the bad file. */
async function undoBadFile({ visit, page, typed, confirm, status }: Awaited<ReturnType<typeof beginAfterBadFile>>) {
  await page.getByRole('link', { name: 'Undo this import' }).first().click()
  await heading(visit, 'Undo this import')
  await typed.fill('10')
  await confirm.press('Enter')
  await status.waitFor()
}

describeInBrowser('an undo or restore', (browser) => {
  it('shows a preview before it runs, and requires a typed number', async () => {
    const { visit, page, typed, confirm } = await beginAfterBadFile(browser())
    await page.getByRole('link', { name: 'Undo this import' }).first().click()
    await heading(visit, 'Undo this import')
    expect(await preview(visit)).toBe('Updates 1, reactivates 1, deactivates 10')
    await page.getByText('would be as they were before the import').waitFor()
    await page.getByText('This would deactivate 10 symptoms').waitFor()
    // Losses come first.
    const all = ['All', 'Deactivated 10', 'Updated 1', 'Reactivated 1']
    await expect.poll(() => kinds(visit).allInnerTexts()).toEqual(all)
    await kinds(visit).nth(2).click()
    await page.getByRole('table', { name: 'Changed records' }).getByText('Wrong').waitFor()
    await typed.fill('11')
    expect(await confirm.isDisabled()).toBe(true)
    await typed.fill('10')
    expect(await confirm.isEnabled()).toBe(true)
  })

  it('shows a new preview if another user has written since, and keeps their changes', async () => {
    const { visit, token, page, stored, typed, confirm, status } = await beginAfterBadFile(browser())
    await page.getByRole('link', { name: 'Undo this import' }).first().click()
    await heading(visit, 'Undo this import')
    await typed.fill('10')
    await writeRecords(token, 'symptom', [symptom(2, { name: 'Of somebody else' })])
    await confirm.click()
    await page.getByText('Someone else has just changed the catalog').waitFor()
    expect(await stored(1)).toMatchObject({ name: 'Wrong' })
    // The number typed before is for the earlier preview.
    expect(await confirm.isDisabled()).toBe(true)
    await typed.fill('10')
    await confirm.press('Enter')
    await status.waitFor()
    await page.getByText('20 records are active.').waitFor()
    expect(await stored(1)).toMatchObject({ name: 'Symptom 1' })
    expect(await stored(2)).toMatchObject({ name: 'Of somebody else' })
    expect(await stored(20)).toMatchObject({ is_active: true })
    expect(await stored(101)).toMatchObject({ is_active: false })
  })

  it('can be undone itself, even if its response is lost', async () => {
    const here = await beginAfterBadFile(browser())
    const { visit, page, stored } = here
    await undoBadFile(here)
    // One record of twenty requires no typed number.
    await link(visit, 'Undo this').click()
    await heading(visit, 'Undo this restore')
    await page.getByText('This would deactivate 1 symptom').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    const isCommit = (url: URL) => url.pathname.endsWith('/undo') && !url.searchParams.has('dry_run')
    await page.route(isCommit, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button(visit, 'Update 1, reactivate 10, deactivate 1').click()
    await page.getByText('It may or may not have been written').waitFor()
    await page.unroute(isCommit)
    await button(visit, 'Check again').click()
    await page.getByText('0 of 12 can be undone; these 12 were changed later').waitFor()
    const named = page.getByRole('list', { name: 'Changed later' }).getByRole('listitem')
    expect(await named.count()).toBe(12)
    expect(await named.first().innerText()).toMatch(new RegExp(`, by ${ADMIN}$`))
    expect(await stored(101)).toMatchObject({ is_active: true })
    visit.forgive(/ERR_FAILED/)
  })

  it('can return to any point of the history, past later changes', async () => {
    const here = await beginAfterBadFile(browser())
    const { visit, token, page, stored, typed, status } = here
    await writeRecords(token, 'symptom', [symptom(2, { name: 'Later' })])
    await page.reload()
    await page.getByRole('status').getByText('3 entries', { exact: true }).waitFor()
    const list = page.getByRole('table', { name: 'History', exact: true })
    await list.getByRole('row').last().getByRole('link').first().click()
    await link(visit, 'Restore this state').click()
    await heading(visit, 'Restore')
    await page.getByText('This also undoes 2 later changes').waitFor()
    await typed.fill('10')
    await button(visit, 'Update 2, reactivate 1, deactivate 10').click()
    await status.waitFor()
    expect(await stored(101)).toMatchObject({ is_active: false })
    expect(await stored(2)).toMatchObject({ name: 'Symptom 2' })
  })
})
