/** Stories that happen on the pages of a partner: those of a file share one site and one visit. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import type { Visitor } from '../../console/browser/pages'
import { describeInBrowser, Visit } from '../../console/browser/visit'
import { Box, newPartnerSite, ORDER, type Seen } from './box'
import type { PartnerPage, PartnerSite } from './partner-site'

/** Runs in each page: keeps the events from its beginning. */
function keepEvents(): void {
  const seen: { name: string; detail: unknown }[] = []
  Object.assign(window, { seen })
  for (const name of ['catalog-select', 'catalog-clear', 'catalog-error']) {
    addEventListener(name, (event) => seen.push({ name, detail: (event as CustomEvent).detail }))
  }
}

/** A visit to the site of a partner. */
export class SiteVisit {
  readonly site: PartnerSite
  readonly visit: Visit
  /** The box for a drug. */
  readonly box: Box
  /** Of the page that was loaded last. */
  #html: string | undefined

  private constructor(site: PartnerSite, visit: Visit) {
    this.site = site
    this.visit = visit
    this.box = new Box(visit.page)
  }

  static async of(site: PartnerSite, browser: Browser, visitor: Visitor): Promise<SiteVisit> {
    return new SiteVisit(site, await Visit.begin(browser, visitor, keepEvents))
  }

  /** Loads a page. */
  async load(html = ORDER, more: Omit<PartnerPage, 'html'> = {}): Promise<this> {
    const { page } = this.visit
    this.site.show({ html, ...more })
    this.#html = html
    await page.goto(this.site.origin)
    await page.locator('catalog-search [role=status]').first().waitFor({ state: 'attached' })
    return this
  }

  /**
   * Begins with a page whose boxes are empty. It is loaded only if another page was there, or its form was sent: a test
   * that leaves more in a page than a text, a choice and events must be the last one with it.
   */
  async begin(html = ORDER): Promise<this> {
    if (html !== this.#html || this.site.sent.length > 0) return this.load(html)
    this.site.show({ html })
    await this.visit.page.evaluate(() => {
      const elements = document.querySelectorAll<HTMLElement & { clear(): void }>('catalog-search')
      for (const element of elements) element.clear()
      ;(document.activeElement as HTMLElement | null)?.blur()
      ;(window as unknown as { seen: Seen[] }).seen.length = 0
    })
    return this
  }
}

/** @param stories get the visit, which is there as soon as a test runs, and the browser for other visits */
export function describeOnSite(
  title: string,
  visitor: Visitor,
  stories: (at: () => SiteVisit, browser: () => Browser) => void,
): void {
  describeInBrowser(title, (browser) => {
    let shared: SiteVisit
    beforeAll(async () => {
      shared = await SiteVisit.of(await newPartnerSite(title), browser(), visitor)
    })
    afterAll(async () => {
      await shared.visit.end()
      shared.site.close()
    })
    stories(() => shared, browser)
  })
}
