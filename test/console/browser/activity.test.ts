import type { Browser } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeInBrowser, visitAt } from './visit'
import { filledWorkspace } from './workspaces'

/** Opens the overview of a workspace whose only record was added today. */
async function begin(browser: Browser) {
  await filledWorkspace('Days', 'medication', [{ medication_id: 'A', name: 'Aspirin' }])
  const { page } = await visitAt(browser, 'Days', 'Overview')
  const chart = page.getByRole('slider', { name: 'Days of the medications' })
  await chart.scrollIntoViewIfNeeded()
  const day = async () => Number(await chart.getAttribute('aria-valuenow'))
  return { page, chart, day, last: Number(await chart.getAttribute('aria-valuemax')) }
}

describeInBrowser('the last days of a catalog', (browser) => {
  it('say what happened on the day that is pointed at', async () => {
    const { page, chart, day, last } = await begin(browser())
    const { x, y, width, height } = (await chart.boundingBox())!
    for (const [share, expected] of [
      [0.01, 1],
      [0.51, last / 2 + 1],
      [0.99, last],
    ] as const) {
      await page.mouse.move(x + width * share, y + height / 2)
      await expect.poll(day).toBe(expected)
    }
    await page.getByText(/^\d+ \w+: 1 added\. 1 active\./).waitFor()
  })

  it('are reached with the arrow keys, and open what happened', async () => {
    const { page, chart, day, last } = await begin(browser())
    await chart.focus()
    await page.keyboard.press('ArrowLeft')
    await expect.poll(day).toBe(last - 1)
    await page.keyboard.press('Home')
    await expect.poll(day).toBe(1)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('End')
    await expect.poll(day).toBe(last)
    await page.keyboard.press('Enter')
    await page.waitForURL('**/console/medication/history/*')
  })
})
