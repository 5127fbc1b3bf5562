import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Impacts of a broken axe-core rule that count as a failure. */
const FAILURES = ['serious', 'critical']

/** axe-core in a page. Its types omit the rules. */
interface Axe {
  run: typeof import('axe-core').run
  _audit: { rules: { id: string; impact: string }[] }
}

/** The serious violations that axe-core finds in a page at rest: rules and elements. */
export async function seriousFaults(page: Page): Promise<string[]> {
  // During a color transition, the contrast belongs to neither color.
  const hasAxe = await page.evaluate(async () => {
    // The animation of a loading placeholder never ends.
    const ending = document
      .getAnimations()
      .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
    await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
    return 'axe' in window
  })
  if (!hasAxe) await page.evaluate(axe)
  // A page at rest shows no loading indicator.
  await expect.poll(() => page.locator('[data-loading]').count(), { timeout: 30_000 }).toBe(0)
  const { violations } = await page.evaluate((failures): Promise<AxeResults> => {
    const { run, _audit } = (window as unknown as { axe: Axe }).axe
    // Checking these would use more than half of the time: rules that are no failure, and elements that met the others.
    const others = _audit.rules.filter(({ impact }) => !failures.includes(impact))
    // Content behind a dialog is dimmed, so only the dialog is checked.
    return run(document.querySelector('[aria-modal=true]') ?? document, {
      rules: Object.fromEntries(others.map(({ id }) => [id, { enabled: false }])),
      // Only skipped rules need the style sheets and the media files.
      preload: false,
      resultTypes: ['violations'],
      selectors: false,
    })
  }, FAILURES)
  return violations
    .filter(({ impact }) => FAILURES.includes(impact ?? ''))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`)
}
