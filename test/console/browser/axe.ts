import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How bad it is that a page breaks a rule of axe-core, if that is a failure. */
const FAILURES = ['serious', 'critical']

/** axe-core in a page. Its types leave out the rules. */
interface Axe {
  run: typeof import('axe-core').run
  _audit: { rules: { id: string; impact: string }[] }
}

/** What axe-core finds in a page at rest that is serious: rules and places. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // Colours that are on their way to others have the contrast of neither.
  const hasAxe = await page.evaluate(async () => {
    // What stands in for something that is being loaded moves without an end.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
    return 'axe' in window
  })
  if (!hasAxe) await page.evaluate(axe)
  // What has come to rest does not show that it works.
  await expect.poll(() => page.locator('[data-loading]').count(), { timeout: 30_000 }).toBe(0)
  const { violations } = await page.evaluate((failures): Promise<AxeResults> => {
    const { run, _audit } = (window as unknown as { axe: Axe }).axe
    // What is not told of takes more than half of the time: rules that are no failure, and places that met the
    // others.
    const others = _audit.rules.filter(({ impact }) => !failures.includes(impact))
    // What lies behind a dialog is veiled. It is looked at without it.
    return run(document.querySelector('[aria-modal=true]') ?? document, {
      rules: Object.fromEntries(others.map(({ id }) => [id, { enabled: false }])),
      // Only rules that are left out need the style sheets and the media files.
      preload: false,
      resultTypes: ['violations'],
      selectors: false,
    })
  }, FAILURES)
  return violations
    .filter(({ impact }) => FAILURES.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`)
}
