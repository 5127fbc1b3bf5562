import type { Visit } from './visit'
import { callService, programToken } from './workspaces'

/** Somebody logs in, in another window of the same browser. */
export async function logInElsewhere(visit: Visit, account: string): Promise<void> {
  const other = await visit.page.context().newPage()
  await other.goto('/api/v1/auth/oidc/login')
  await other.getByRole('button', { name: account }).click()
  // The login is complete. What follows is the same page once more.
  await other.waitForURL('**/console/**', { waitUntil: 'commit' })
  await other.close()
}

/** Takes what the browser says of a failure that was brought about on purpose. */
export const forgive = (visit: Visit, expected: RegExp): void => {
  const others = visit.faults.filter((fault) => !expected.test(fault))
  visit.faults.splice(0, visit.faults.length, ...others)
}

const HOUR_MS = 56 * 60 * 1000

/** Sets the clock of the page ahead: the next request finds its access token at its end. */
export async function passHour({ page }: Visit): Promise<void> {
  await page.clock.setSystemTime((await page.evaluate(() => Date.now())) + HOUR_MS)
}

/** Fills the form for a new record. */
export async function fillSymptom(visit: Visit, id: string): Promise<void> {
  const { page } = visit
  await visit.follow('/console/symptom/catalog?new=1')
  await page.getByRole('textbox', { name: /^Symptom id/i }).fill(id)
  await page.getByRole('textbox', { name: /^Name/ }).fill('Headache')
}

export const save = ({ page }: Visit) => page.getByRole('button', { name: 'Save', exact: true }).click()

export const logOut = async ({ page }: Visit) => {
  await page.getByRole('button', { name: /account of/ }).click()
  await page.getByRole('menuitem', { name: 'Log out' }).click()
}

export const statusOf = async (workspaceId: string, id: string): Promise<number> => {
  const token = await programToken(workspaceId)
  return (await callService(token, `/admin/datasets/v1/${id}?type=symptom`)).status
}
