import type { Locator } from 'playwright-core'
import type { Visit } from './visit'
import { newWorkspace, programToken, writeRecords } from './workspaces'

/** A catalog of a workspace of its own. */
export async function filledWorkspace(name: string, type: string, records: unknown): Promise<string> {
  const token = await programToken(await newWorkspace(name))
  await writeRecords(token, type, records)
  return token
}

export const said = (visit: Visit, text: string) =>
  visit.page.getByRole('status').getByText(text, { exact: true }).waitFor()

export const heading = (visit: Visit, name: string) =>
  visit.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

export const link = (visit: Visit, name: string) => visit.page.getByRole('link', { name, exact: true })

export const button = (visit: Visit, name: string) => visit.page.getByRole('button', { name, exact: true })

export const input = (visit: Visit, name: string) => visit.page.getByRole('textbox', { name, exact: true })

/** A choice among the filters of a list. */
export const filter = (visit: Visit, name: string) => visit.page.getByRole('combobox', { name, exact: true })

export const search = (visit: Visit) => input(visit, 'Search')

/** What stands beside the name of a field of a record. */
export const valueBeside = (visit: Visit, label: string) =>
  visit.page
    .locator('dt')
    .filter({ has: visit.page.getByText(label, { exact: true }) })
    .locator('xpath=following-sibling::dd')

export const queryOf = (visit: Visit) => new URL(visit.page.url()).search

export const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement)
