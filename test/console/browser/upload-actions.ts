import type { InputFile } from './files'
import type { Visit } from './visit'

/** What a person does on the upload page, and what they look for. */

export const choose = (visit: Visit, file: InputFile) => visit.page.locator('input[type=file]').setInputFiles(file)

/** What the file would change, in a sentence. */
export const outcome = ({ page }: Visit) =>
  page.getByRole('heading', { name: /^(Adds|Updates|Reactivates|Deactivates) / })

/** Waits until what the file would change is shown. @returns it */
export async function preview(visit: Visit): Promise<string> {
  await outcome(visit).waitFor()
  return outcome(visit).innerText()
}

/** The row of a record among those that would change. */
export const changedRow = ({ page }: Visit, id: string) =>
  page
    .getByRole('table', { name: 'Changed records' })
    .getByRole('row')
    .filter({ has: page.getByText(id, { exact: true }) })

/** The kinds of change that the table can be limited to, with their counts. */
export const kinds = ({ page }: Visit) => page.getByRole('group', { name: 'Kinds of change' }).locator('label')

/** What becomes of the records that are not in the file. */
export const chooseMode = ({ page }: Visit, mode: 'Add and update' | 'Replace the whole catalog') =>
  page.getByLabel('What the file is').selectOption(mode)

/** Says how the letters of a file are written. */
export async function chooseEncoding({ page }: Visit, encoding: string) {
  const versions = page.getByRole('radiogroup', { name: 'Right version' })
  const version = versions.getByText(encoding, { exact: true })
  await versions.waitFor()
  if (!(await version.isVisible())) await page.getByRole('button', { name: /^None of these/ }).click()
  await version.click()
}

/** Looks at all columns, and says that they are right. */
export async function columnsAreRight({ page }: Visit) {
  const right = page.getByRole('button', { name: 'These are right' })
  const next = page.getByRole('button', { name: 'Show the others' })
  await right.waitFor()
  // It goes when all columns were in view, perhaps before the click. Then the other one is enabled.
  while (await next.isVisible()) await next.click({ timeout: 2000 }).catch(() => undefined)
  await right.click()
}

/** Chooses what is written of some cells. @param what the question, as `Strength, dates` */
export const answerCells = (visit: Visit, what: string, answer: RegExp) =>
  visit.page.getByRole('radiogroup', { name: what }).getByRole('radio', { name: answer }).click()

/** Waits until the file is written. @param type in the plural */
export const written = (visit: Visit, type: string) => visit.page.getByText(`The ${type} are up to date`).waitFor()
