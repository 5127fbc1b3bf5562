import type { InputFile } from './files'
import type { Visit } from './visit'

/** What a person does on the upload page, and what they look for. */

export const choose = (visit: Visit, file: InputFile) =>
  visit.page.locator('input[type=file]').setInputFiles(file)

/** A count of what the file changes, by its name. */
export const tile = (visit: Visit, label: string) =>
  visit.page.locator('.tile', { has: visit.page.getByText(label, { exact: true }) }).locator('dd')

/** Waits until what the file would change is shown. */
export const preview = (visit: Visit) =>
  visit.page.getByRole('heading', { name: 'What would change' }).waitFor()

export const columnsAreRight = (visit: Visit) =>
  visit.page.getByRole('button', { name: 'These are right' }).click()

/** Chooses what is written of some cells. */
export const answerCells = (visit: Visit, what: string, answer: RegExp) =>
  visit.page
    .getByRole('radiogroup', { name: `What is written for ${what}?` })
    .getByRole('radio', { name: answer })
    .click()

/** Waits until the file is written. @param type in the plural */
export const written = (visit: Visit, type: string) =>
  visit.page.getByText(`The ${type} are up to date`).waitFor()
