import type { Locator, Page } from 'playwright-core'
import { callService, newWorkspace, programToken, writeRecords } from '../../console/browser/workspaces'
import { PartnerSite } from './partner-site'

const maker = (number: number) => `Maker ${number}`

const tablet = (id: string, name: string, strength: string, manufacturer: string) => ({
  medication_id: id,
  name: `${name} ${strength}`,
  display_name: name,
  strength,
  form_name: 'Tablet',
  manufacturer,
})

/** Seven of one kind, two that look alike in everything, one without a form, and a name that is nearly another one. */
const MEDICATIONS = [
  ...Array.from({ length: 7 }, (_, n) => tablet(`M500-${n}`, 'Metformin', '500 mg', maker(n))),
  tablet('M850', 'Metformin', '850 mg', maker(1)),
  tablet('ASP-1', 'Aspirin', '100 mg', maker(1)),
  tablet('ASP-2', 'Aspirin', '100 mg', maker(1)),
  tablet('<i>&amp;', '<img src=x onerror=alert(1)>', '1 <b>mg</b>', maker(1)),
  {
    medication_id: 'SYR',
    name: 'Zinc syrup',
    aliases: ['Zincum Sulfuricum'],
    strength: '2 mg/ml',
    manufacturer: maker(3),
  },
  ...Array.from({ length: 60 }, (_, n) => tablet(`IBU-${n}`, 'Ibuprofen', '200 mg', maker(n % 20))),
  ...Array.from({ length: 50 }, (_, n) => tablet(`FORTE-${n}`, 'Ibuprofen forte', `${n} mg`, maker(1))),
]

/** A workspace whose partners search its own catalog, and the site of one of them. */
export async function newPartnerSite(name: string): Promise<PartnerSite> {
  const workspaceId = await newWorkspace(name)
  const token = await programToken(workspaceId)
  await writeRecords(token, 'medication', MEDICATIONS)
  await writeRecords(token, 'symptom', [{ symptom_id: 'S1', name: 'Cough', icd10: 'R05' }])
  for (const type of ['medication', 'symptom']) {
    await callService(token, `/admin/datasets/v1/search-status/?type=${type}`, { enabled: true })
  }
  return PartnerSite.of(workspaceId)
}

/** The snippet of docs/partners.md, in a form. */
export const ORDER = `
<form method="post" action="/order">
  <label for="drug">Drug</label>
  <catalog-search type="medication" token-url="/catalog-token" name="drug_id">
    <input id="drug">
  </catalog-search>
  <button type="submit">Order</button>
  <button type="reset">Reset</button>
</form>`

/** The same form with a record that the page names. */
export const KNOWN = ORDER.replace('name="drug_id"', 'name="drug_id" value="M850"').replace(
  'id="drug"',
  'id="drug" value="Metformin"',
)

/** An event of an element. */
export interface Seen {
  name: string
  detail: Record<string, unknown> | null
}

/** A box on a page, as a person uses it. */
export class Box {
  readonly page: Page
  readonly input: Locator
  readonly status: Locator
  readonly list: Locator

  constructor(page: Page, label = 'Drug') {
    this.page = page
    this.input = page.getByLabel(label, { exact: true })
    const element = page.locator('catalog-search').filter({ has: this.input })
    this.status = element.getByRole('status')
    this.list = element.getByRole('listbox')
  }

  option(text: string | RegExp): Locator {
    return this.list.getByRole('option').filter({ hasText: text })
  }

  /** Types as a person does. */
  async type(text: string, delayMs = 0): Promise<void> {
    await this.input.focus()
    await this.page.keyboard.type(text, { delay: delayMs })
  }

  /** Types without time between the letters, however busy the machine is. */
  async typeAtOnce(text: string): Promise<void> {
    await this.input.focus()
    await this.input.evaluate((input: HTMLInputElement, typed) => {
      for (const letter of typed) {
        input.value += letter
        input.dispatchEvent(new InputEvent('input', { bubbles: true, data: letter }))
      }
    }, text)
  }

  /** Types, and waits until something can be chosen from the answer. */
  async find(text: string): Promise<void> {
    await this.type(text)
    await this.says(/^Matches|^Nothing/)
    await this.takesChoices()
  }

  /** Finds a record and chooses it. */
  async choose(text = 'metformin 850', option: string | RegExp = '850'): Promise<void> {
    await this.find(text)
    await this.option(option).first().click()
    await this.says('Chosen: ')
  }

  /** A list that has come a moment ago takes no choice. */
  takesChoices(): Promise<void> {
    return this.page.locator('catalog-search [data-fresh]').waitFor({ state: 'detached' })
  }

  /**
   * Presses keys as soon as the box says something, before anything else can happen.
   *
   * @returns when the page waits for it: `done` resolves after the keys
   */
  async pressWhenItSays(text: string, keys: readonly string[]): Promise<{ done: Promise<void> }> {
    const waiting = await this.status.evaluateHandle(
      (status, { text, keys }) => ({
        done: new Promise<void>((resolve) => {
          const observer = new MutationObserver(() => {
            if (status.textContent !== text) return
            observer.disconnect()
            for (const key of keys) {
              const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true })
              document.activeElement?.dispatchEvent(event)
            }
            resolve()
          })
          observer.observe(status, { childList: true })
        }),
      }),
      { text, keys },
    )
    return { done: waiting.evaluate(({ done }) => done) }
  }

  /** Presses the arrow until an option with this text is reached. */
  async reach(text: string, key = 'ArrowDown'): Promise<void> {
    for (let keys = 0; keys < 70; keys++) {
      await this.press(key)
      if (await this.selected().filter({ hasText: text }).isVisible()) return
    }
    throw new Error(`the arrows do not reach ${text}`)
  }

  selected(): Locator {
    return this.list.locator('[aria-selected=true]')
  }

  says(text: string | RegExp): Promise<void> {
    return this.status.filter({ hasText: text }).waitFor()
  }

  press(key: string): Promise<void> {
    return this.page.keyboard.press(key)
  }

  /** What the form would send. */
  value(): Promise<string> {
    return this.page
      .locator('catalog-search')
      .filter({ has: this.input })
      .evaluate((element) => (element as HTMLElement & { value: string }).value)
  }

  /** What its form holds at this moment, as scripts read it. */
  held(): Promise<string> {
    return this.input.evaluate((input) => {
      const form = input.closest('form') ?? undefined
      return String(new URLSearchParams(new FormData(form) as unknown as string[][]))
    })
  }

  isOpen(): Promise<boolean> {
    return this.input.evaluate((input) => input.getAttribute('aria-expanded') === 'true')
  }

  /** The events of the page so far. */
  events(): Promise<Seen[]> {
    return this.page.evaluate(() => (window as unknown as { seen: Seen[] }).seen)
  }
}
