import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgive } from './session-steps'
import { kinds, preview } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { ADMIN, callService, newWorkspace, programToken, storedRecord, writeRecords } from './workspaces'

const symptom = (number: number, fields: Record<string, unknown> = {}) => ({
  symptom_id: `S${number}`,
  name: `Symptom ${number}`,
  ...fields,
})

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1)

describeInBrowser('the way back to an earlier state', (browser) => {
  let visit: Visit
  let token: string
  const revision = async () => {
    const response = await callService(token, '/admin/catalogs/v1/symptom')
    return ((await response.json()) as { data: { revision: number } }).data.revision
  }
  const isActive = async (number: number) => (await storedRecord(token, 'symptom', `S${number}`)).is_active
  const button = (name: string) => visit.page.getByRole('button', { name, exact: true })
  const link = (name: string) => visit.page.getByRole('link', { name, exact: true })
  const done = () =>
    visit.page
      .getByRole('status')
      .filter({ hasText: /^(Updated|Reactivated|Deactivated)/ })
      .waitFor()

  beforeAll(async () => {
    token = await programToken(await newWorkspace('Way back'))
    await writeRecords(
      token,
      'symptom',
      numbers(20).map((number) => symptom(number)),
    )
    // What a bad file does: one value lost, one record gone, ten records too many.
    await writeRecords(token, 'symptom&mode=reconcile', [
      ...numbers(19).map((number) => symptom(number, number === 1 ? { name: 'Wrong' } : {})),
      ...numbers(10).map((number) => symptom(100 + number)),
    ])
    visit = await visitAt(browser(), 'Way back', 'History')
    await visit.chooseCatalog('Symptoms')
  })
  afterAll(() => visit.end())

  it('begins at the newest change, and shows what would change before anything does', async () => {
    await visit.page.getByRole('link', { name: 'Undo this transfer' }).first().click()
    await visit.page.getByRole('heading', { level: 1, name: 'Undo this transfer' }).waitFor()
    expect(await preview(visit)).toBe('Updates 1, reactivates 1, deactivates 10')
    await visit.page.getByText('would be as they were before the transfer').waitFor()
    await visit.page.getByText('This would deactivate 10 symptoms').waitFor()
    // What takes something away comes first.
    await expect
      .poll(() => kinds(visit).allInnerTexts())
      .toEqual(['All', 'Deactivated 10', 'Updated 1', 'Reactivated 1'])
    await visit.expectGood()
    await kinds(visit).nth(2).click()
    await visit.page.getByRole('table', { name: 'Changed records' }).getByText('Wrong').waitFor()
    expect(await revision()).toBe(2)
  })

  it('asks for the number of records that would be deactivated if they are many', async () => {
    const confirm = button('Update 1, reactivate 1, deactivate 10')
    expect(await confirm.isDisabled()).toBe(true)
    const typed = visit.page.getByRole('textbox', { name: 'To continue, type the number' })
    await typed.fill('11')
    expect(await confirm.isDisabled()).toBe(true)
    await typed.fill('10')
    expect(await confirm.isDisabled()).toBe(false)
  })

  it('is not gone if somebody else has written in the meantime: it is shown again, and leaves their work', async () => {
    await writeRecords(token, 'symptom', [symptom(2, { name: 'Of somebody else' })])
    await button('Update 1, reactivate 1, deactivate 10').click()
    await visit.page.getByText('Somebody else has just changed the catalog').waitFor()
    expect(await storedRecord(token, 'symptom', 'S2')).toMatchObject({ name: 'Of somebody else' })
    expect(await revision()).toBe(3)
    // What was typed before is not for this.
    expect(await button('Update 1, reactivate 1, deactivate 10').isDisabled()).toBe(true)
  })

  it('is gone with the keyboard, once it is confirmed', async () => {
    await visit.page.getByRole('textbox', { name: 'To continue, type the number' }).fill('10')
    await button('Update 1, reactivate 1, deactivate 10').press('Enter')
    await done()
    await visit.page.getByText('20 records are active.').waitFor()
    expect(await storedRecord(token, 'symptom', 'S1')).toMatchObject({ name: 'Symptom 1' })
    expect(await storedRecord(token, 'symptom', 'S2')).toMatchObject({ name: 'Of somebody else' })
    expect(await isActive(20)).toBe(true)
    expect(await isActive(101)).toBe(false)
    expect(await revision()).toBe(4)
    await expect.poll(() => visit.page.evaluate(() => document.activeElement?.getAttribute('role'))).toBe('status')
  })

  it('can itself be undone', async () => {
    await link('Undo this').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Undo this restore' }).waitFor()
    // One record of twenty is not worth typing a number.
    await visit.page.getByText('This would deactivate 1 symptom').waitFor()
    expect(await visit.page.getByRole('textbox').count()).toBe(0)
    await button('Update 1, reactivate 10, deactivate 1').click()
    await done()
    expect(await isActive(101)).toBe(true)
  })

  it('leads to any point of the history, past the later changes, which it names', async () => {
    await link('See the history').click()
    await visit.page.getByRole('status').getByText('5 entries', { exact: true }).waitFor()
    await visit.page.getByText('An earlier change undone').first().waitFor()
    const list = visit.page.getByRole('table', { name: 'History', exact: true })
    await list.getByRole('row').last().getByRole('link').first().click()
    await link('Go back to this point').click()
    await visit.page.getByRole('heading', { level: 1, name: 'Go back', exact: true }).waitFor()
    await visit.page.getByText('This also undoes 4 later changes').waitFor()
    await visit.page.getByText('would be as they were after the transfer').waitFor()
    await visit.page.getByRole('textbox', { name: 'To continue, type the number' }).fill('10')
    await button('Update 2, reactivate 1, deactivate 10').click()
    await done()
    expect(await isActive(101)).toBe(false)
    expect(await revision()).toBe(6)
  })

  it('takes back nothing of a write whose records were all changed later, and names them', async () => {
    await visit.follow('/console/symptom/history')
    const bad = visit.page.getByRole('row').filter({ hasText: '1 deactivated, 10 added, 1 updated' })
    await bad.getByRole('link', { name: 'Undo this transfer' }).click()
    await visit.page.getByText('0 of 12 can be undone; these 12 were changed later').waitFor()
    const named = visit.page.getByRole('list', { name: 'Changed later' }).getByRole('listitem')
    expect(await named.count()).toBe(12)
    expect(await named.first().innerText()).toMatch(new RegExp(`^Symptom 1, .*, by ${ADMIN}$`))
    expect(await visit.page.getByRole('button', { name: /update|deactivate/i }).count()).toBe(0)
  })

  it('says so if it is not known what became of it, and looks again', async () => {
    await writeRecords(token, 'diagnosis', [{ diagnosis_id: 'D1', name: 'Asthma' }])
    await writeRecords(token, 'diagnosis', [{ diagnosis_id: 'D1', name: 'Wrong' }])
    await visit.follow('/console/diagnosis/history')
    await visit.page.getByRole('link', { name: 'Undo this transfer' }).first().click()
    const isCommit = (url: URL) => url.pathname.endsWith('/undo') && !url.searchParams.has('dry_run')
    await visit.page.route(isCommit, async (route) => {
      await route.fetch()
      await route.abort()
    })
    await button('Update 1').click()
    await visit.page.getByText('It may or may not have been written').waitFor()
    await visit.page.unroute(isCommit)
    await button('Check again').click()
    await visit.page.getByText('0 of 1 can be undone; this one was changed later').waitFor()
    expect(await storedRecord(token, 'diagnosis', 'D1')).toMatchObject({ name: 'Asthma' })
    forgive(visit, /ERR_FAILED/)
  })
})
