/** The search box on a partner's pages. */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { DESKTOP, describeInBrowser, Visit, type Visitor } from '../../console/browser/visit'
import { callService, newWorkspace, programToken, writeRecords } from '../../console/browser/workspaces'
import { newPartnerSite, type PartnerPage, type PartnerSite } from './partner-site'

const tablet = (id: string, name: string, strength: string, maker: number) => ({
  medication_id: id,
  name: `${name} ${strength}`,
  display_name: name,
  strength,
  form_name: 'Tablet',
  manufacturer: `Maker ${maker}`,
})

/**
 * Seven of one kind, two that look the same in everything, one without a form, and names that are similar to others.
 */
const MEDICATIONS = [
  ...Array.from({ length: 7 }, (_, n) => tablet(`M500-${n}`, 'Metformin', '500 mg', n)),
  tablet('M850', 'Metformin', '850 mg', 1),
  tablet('ASP-1', 'Aspirin', '100 mg', 1),
  tablet('ASP-2', 'Aspirin', '100 mg', 1),
  tablet('<i>&amp;', '<img src=x onerror=alert(1)>', '1 <b>mg</b>', 1),
  {
    ...{ medication_id: 'SYR', name: 'Zinc syrup', aliases: ['Zincum Sulfuricum'], strength: '2 mg/ml' },
    ...{ manufacturer: 'Z', refid: JSON.rawJSON('450229981000132104') },
  },
  ...Array.from({ length: 60 }, (_, n) => tablet(`IBU-${n}`, 'Ibuprofen', '200 mg', n % 20)),
  ...Array.from({ length: 50 }, (_, n) => tablet(`FORTE-${n}`, 'Ibuprofen forte', `${n} mg`, 1)),
]

/** A workspace whose partners search its own catalog, and the site of one of them. */
async function newSearchedSite(): Promise<PartnerSite> {
  const workspaceId = await newWorkspace('Partner')
  const token = await programToken(workspaceId)
  await writeRecords(token, 'medication', MEDICATIONS)
  await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', icd10: 'R05' }])
  for (const type of ['medication', 'symptom'])
    await callService(token, `/admin/datasets/v1/search-status/?type=${type}`, { enabled: true })
  return newPartnerSite(workspaceId)
}

/** The snippet of docs/partners.md, in a form. */
export const ORDER = `
<form method="post" action="/order">
  <label for="drug">Drug</label>
  <catalog-search type="medication" token-url="/catalog-token" name="drug_id"><input id="drug"></catalog-search>
  <button type="submit">Order</button>
  <button type="reset">Reset</button>
</form>`

/** The same form with a record that the page names. */
export const KNOWN = ORDER.replace('name="drug_id"', 'name="drug_id" value="M850"').replace(
  'id="drug"',
  'id="drug" value="Metformin"',
)

/** A box on a page, as a user operates it. */
export class Box {
  readonly input: Locator
  readonly status: Locator
  readonly list: Locator

  constructor(
    readonly page: Page,
    label = 'Drug',
  ) {
    this.input = page.getByLabel(label, { exact: true })
    const element = page.locator('catalog-search').filter({ has: this.input })
    this.status = element.getByRole('status')
    this.list = element.getByRole('listbox')
  }

  option(text: string | RegExp): Locator {
    return this.list.getByRole('option').filter({ hasText: text })
  }

  selected(): Locator {
    return this.list.locator('[aria-selected=true]')
  }

  /** Types after the existing text. */
  async type(text: string, delayMs = 0): Promise<void> {
    await this.input.focus()
    await this.page.keyboard.type(text, { delay: delayMs })
  }

  says(text: string | RegExp): Promise<void> {
    return this.status.filter({ hasText: text }).waitFor()
  }

  /** A list that has just appeared accepts no choice. */
  takesChoices(): Promise<void> {
    return this.page.locator('catalog-search [data-fresh]').waitFor({ state: 'detached' })
  }

  /** Searches for a text, and waits until a match can be chosen. */
  async find(text: string): Promise<void> {
    await this.input.fill(text)
    await this.says(/^Matches|^Nothing/)
    await this.takesChoices()
  }

  /** Finds a record and chooses it. */
  async choose(text = 'metformin 850', option: string | RegExp = '850'): Promise<void> {
    await this.find(text)
    await this.option(option).first().click()
    await this.says('Chosen: ')
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  /** Presses the arrow key until it reaches an option with this text. */
  async reach(text: string, key = 'ArrowDown'): Promise<void> {
    for (let keys = 0; keys < 70; keys++) {
      await this.press(key)
      if (await this.selected().filter({ hasText: text }).isVisible()) return
    }
    throw new Error(`the arrows do not reach ${text}`)
  }

  isOpen(): Promise<boolean> {
    return this.input.evaluate((input) => input.getAttribute('aria-expanded') === 'true')
  }

  /** The ID of its choice. */
  value(): Promise<string> {
    return this.input.evaluate((input) => input.closest<HTMLElement & { value: string }>('catalog-search')?.value ?? '')
  }

  /** The current values of its form, as scripts read them. */
  held(): Promise<string> {
    return this.input.evaluate((input) => {
      const form = input.closest('form') ?? undefined
      return String(new URLSearchParams(new FormData(form) as unknown as string[][]))
    })
  }

  /** Runs a script of the page with the element, its input and its form. */
  run(script: string): Promise<unknown> {
    return this.page.evaluate((code) => {
      const box = document.querySelector('catalog-search')
      return new Function('box', 'input', 'form', code)(box, box?.querySelector('input'), box?.closest('form'))
    }, script)
  }

  /** The events of the page so far. */
  events(): Promise<{ name: string; detail: Record<string, unknown> | null }[]> {
    return this.page.evaluate(() => (window as unknown as { seen: [] }).seen)
  }
}

/** Records the events of the page from now on. */
function keepEvents(): void {
  const seen: { name: string; detail: unknown }[] = []
  Object.assign(window, { seen })
  for (const name of ['catalog-select', 'catalog-clear', 'catalog-error'])
    addEventListener(name, (event) => seen.push({ name, detail: (event as CustomEvent).detail }))
}

/** A visit to a partner's site, and the medication box on its page. */
export interface SiteVisit {
  site: PartnerSite
  visit: Visit
  box: Box
  /** Loads a page. */
  load: (html?: string, more?: Omit<PartnerPage, 'html'>) => Promise<SiteVisit>
  /** Clicks a button. */
  click: (name: string) => Promise<void>
  /** The data that was sent since the page was loaded. */
  expectSent: (...forms: string[]) => Promise<void>
}

export async function visitSite(site: PartnerSite, browser: Browser, visitor: Visitor): Promise<SiteVisit> {
  const visit = await Visit.begin(browser, visitor)
  const { page } = visit
  const here: SiteVisit = {
    ...{ site, visit, box: new Box(page) },
    load: async (html = ORDER, more = {}) => {
      site.show({ html, ...more })
      await page.goto(site.origin)
      await page.evaluate(keepEvents)
      await page.locator('catalog-search [role=status]').first().waitFor({ state: 'attached' })
      return here
    },
    click: (name) => page.getByRole('button', { name }).click(),
    expectSent: (...forms) => expect.poll(() => site.sent).toEqual(forms),
  }
  return here
}

/** The site of this worker, which ends with it. */
let site: Promise<PartnerSite> | undefined

/**
 * Stories that share a visit. @param stories receive the visit, which exists as soon as a test runs, and the browser
 */
export function describeOnSite(
  title: string,
  stories: (at: () => SiteVisit, browser: () => Browser) => void,
  visitor: Visitor = DESKTOP,
): void {
  describeInBrowser(title, (browser) => {
    let shared: SiteVisit
    beforeAll(async () => {
      site ??= newSearchedSite()
      shared = await visitSite(await site, browser(), visitor)
    })
    afterAll(() => shared.visit.end())
    stories(() => shared, browser)
  })
}
