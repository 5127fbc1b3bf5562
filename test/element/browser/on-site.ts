/** Stories that happen on the pages of a partner: those of a file share one site and one visit. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { DESKTOP, type Visitor } from '../../console/browser/pages'
import { describeInBrowser, Visit } from '../../console/browser/visit'
import { Box, newPartnerSite, ORDER } from './box'
import type { PartnerPage, PartnerSite } from './partner-site'

/** Keeps the events of the page from now on. */
function keepEvents(): void {
  const seen: { name: string; detail: unknown }[] = []
  Object.assign(window, { seen })
  for (const name of ['catalog-select', 'catalog-clear', 'catalog-error']) {
    addEventListener(name, (event) => seen.push({ name, detail: (event as CustomEvent).detail }))
  }
}

/** A visit to the site of a partner, and the box for a drug on its page. */
export interface SiteVisit {
  site: PartnerSite
  visit: Visit
  box: Box
  /** Loads a page. */
  load: (html?: string, more?: Omit<PartnerPage, 'html'>) => Promise<SiteVisit>
}

export async function visitSite(site: PartnerSite, browser: Browser, visitor: Visitor): Promise<SiteVisit> {
  const visit = await Visit.begin(browser, visitor)
  const here: SiteVisit = {
    site,
    visit,
    box: new Box(visit.page),
    load: async (html = ORDER, more = {}) => {
      site.show({ html, ...more })
      await visit.page.goto(site.origin)
      await visit.page.evaluate(keepEvents)
      await visit.page.locator('catalog-search [role=status]').first().waitFor({ state: 'attached' })
      return here
    },
  }
  return here
}

/** @param stories get the visit, which is there as soon as a test runs, and the browser for other visits */
export function describeOnSite(
  title: string,
  stories: (at: () => SiteVisit, browser: () => Browser) => void,
  visitor: Visitor = DESKTOP,
): void {
  describeInBrowser(title, (browser) => {
    let shared: SiteVisit
    beforeAll(async () => {
      shared = await visitSite(await newPartnerSite(title), browser(), visitor)
    })
    afterAll(async () => {
      await shared.visit.end()
      shared.site.close()
    })
    stories(() => shared, browser)
  })
}
