import { afterAll, beforeAll, expect, it } from 'vitest'
import { csvFile } from './files'
import { PHONE } from './pages'
import { logOut } from './session-steps'
import { preview } from './upload-actions'
import { describeInBrowser, type Visit, visitAt } from './visit'
import { ADMIN, newWorkspace } from './workspaces'

const FILE = csvFile('symptoms.csv', [
  ['symptom_id', 'name'],
  ['S1', 'Headache'],
])

/** Chooses a file, and sees what it would change. */
async function checkFile(visit: Visit): Promise<void> {
  await visit.page.locator('input[type=file]').setInputFiles(FILE)
  await preview(visit)
}

const question = ({ page }: Visit) => page.getByRole('dialog', { name: 'Leave without writing the file?' })

describeInBrowser('a file that is not written, on a phone', (browser) => {
  let visit: Visit
  beforeAll(async () => {
    await newWorkspace('Unwritten')
    visit = await visitAt(browser(), 'Unwritten', 'Upload', PHONE)
    await visit.chooseCatalog('Symptoms')
  })
  afterAll(() => visit.end())

  it('is lost by a logout only after a question, from whichever page', async () => {
    await checkFile(visit)
    await logOut(visit)
    await question(visit).waitFor()
    await visit.expectGood()
    await question(visit).getByRole('button', { name: 'Stay' }).click()
    await question(visit).waitFor({ state: 'detached' })
    await visit.page.getByRole('button', { name: 'Add 1', exact: true }).waitFor()

    await visit.open('History')
    await logOut(visit)
    await question(visit).getByRole('button', { name: 'Leave without writing' }).click()
    await visit.page.getByRole('link', { name: 'Log in', exact: true }).waitFor()
    const asked: string[] = []
    visit.page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.accept()
    })
    await visit.logIn(ADMIN)
    expect(asked).toEqual([])
  })
})
