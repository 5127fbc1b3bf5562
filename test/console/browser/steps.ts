/** Actions and observations of a user on the console's pages. */
import type { Locator } from 'playwright-core'
import type { InputFile } from './files'
import type { Visit } from './visit'
import { callService, programToken } from './workspaces'

export const said = ({ page }: Visit, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor()

export const heading = ({ page }: Visit, name: string) =>
  page.getByRole('heading', { level: 1, name, exact: true }).waitFor()

export const link = ({ page }: Visit, name: string) => page.getByRole('link', { name, exact: true })

export const button = ({ page }: Visit, name: string) => page.getByRole('button', { name, exact: true })

export const input = ({ page }: Visit, name: string) => page.getByRole('textbox', { name, exact: true })

/** A control among the filters of a list. */
export const filter = ({ page }: Visit, name: string) => page.getByRole('combobox', { name, exact: true })

export const isFocused = (place: Locator) => place.evaluate((element) => element === document.activeElement)

/** The value next to the name of a field of a record. */
export const valueBeside = ({ page }: Visit, label: string) =>
  page
    .locator('dt')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('xpath=following-sibling::dd')

interface Fiber {
  memoizedState: unknown
  child: Fiber | null
  sibling: Fiber | null
}

/** Whether the state of any component of the page contains a text, visible or not. */
export const isInState = ({ page }: Visit, text: string) =>
  page.evaluate((sought) => {
    const holds = (value: unknown, depth: number): boolean =>
      typeof value === 'string'
        ? value.includes(sought)
        : depth > 0 &&
          typeof value === 'object' &&
          value !== null &&
          Object.values(value).some((one) => holds(one, depth - 1))
    const isIn = (fiber: Fiber | null): boolean => {
      if (fiber === null) return false
      for (let hook = fiber.memoizedState as { next?: unknown } | null; hook; hook = hook.next as typeof hook)
        if (holds({ ...hook, next: null }, 3)) return true
      return isIn(fiber.child) || isIn(fiber.sibling)
    }
    const root = document.getElementById('console')!
    const key = Object.keys(root).find((name) => name.startsWith('__reactContainer'))!
    return isIn((root as unknown as Record<string, { stateNode: { current: Fiber } }>)[key]!.stateNode.current)
  }, text)

/** A user logs in, in another window of the same browser. */
export async function logInElsewhere({ page }: Visit, account: string): Promise<void> {
  const other = await page.context().newPage()
  await other.goto('/api/v1/auth/oidc/login')
  await other.getByRole('button', { name: account }).click()
  // The login is complete. The next step loads the same page once more.
  await other.waitForURL('**/console/**', { waitUntil: 'commit' })
  await other.close()
}

const ALMOST_AN_HOUR_MS = 56 * 60 * 1000

/** Sets the page's clock ahead, so that its access token has expired at the next request. */
export async function passHour({ page }: Visit): Promise<void> {
  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + ALMOST_AN_HOUR_MS)
}

export async function logOut({ page }: Visit): Promise<void> {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

/** Fills the form for a new record. */
export async function fillSymptom(visit: Visit, id: string): Promise<void> {
  await visit.follow('/console/symptom/catalog?new=1')
  await visit.page.getByRole('textbox', { name: /^Symptom ID/i }).fill(id)
  await visit.page.getByRole('textbox', { name: /^Name/ }).fill('Headache')
}

/** @returns the status of the response for a symptom */
export const statusOf = async (workspaceId: string, id: string): Promise<number> =>
  (await callService(await programToken(workspaceId), `/admin/datasets/v1/${id}?type=symptom`)).status

export const choose = ({ page }: Visit, file: InputFile) => page.locator('input[type=file]').setInputFiles(file)

/** The preview's sentence about the changes of the file. */
export const outcome = ({ page }: Visit) =>
  page.getByRole('heading', { name: /^(Adds|Updates|Reactivates|Deactivates) / })

/** Waits until the preview shows the changes of the file. @returns its sentence */
export async function preview(visit: Visit): Promise<string> {
  await outcome(visit).waitFor()
  return outcome(visit).innerText()
}

/** The row of a record in the preview. */
export const changedRow = ({ page }: Visit, id: string) =>
  page
    .getByRole('table', { name: 'Changed records' })
    .getByRole('row')
    .filter({ has: page.getByText(id, { exact: true }) })

/** The kinds of change by which the preview can be filtered, with their counts. */
export const kinds = ({ page }: Visit) => page.getByRole('group', { name: 'Kinds of change' }).locator('label')

/** The outcome of the records that are missing from the file. */
export const chooseMode = ({ page }: Visit, mode: 'Add and update' | 'Replace the whole catalog') =>
  page.getByLabel('What the file is').selectOption(mode)

/** Views all columns, and confirms them. */
export async function columnsAreRight(visit: Visit): Promise<void> {
  const right = button(visit, 'These are right')
  const next = button(visit, 'Show the others')
  await right.waitFor()
  // The button disappears once all columns were in view, perhaps before the click. Then the other one is enabled.
  while (await next.isVisible()) await next.click({ timeout: 2000 }).catch(() => undefined)
  await right.click()
}

/** Chooses the meaning of some cells. @param what the question, such as `Strength, dates` */
export const answerCells = ({ page }: Visit, what: string, answer: RegExp) =>
  page.getByRole('radiogroup', { name: what }).getByRole('radio', { name: answer }).click()

/** Waits until the file is written. @param type in the plural */
export const written = ({ page }: Visit, type: string) => page.getByText(`The ${type} are up to date`).waitFor()
