import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Cookie, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { startChromium } from './chromium.mjs'
import { openVisits } from './open-visits'
import { closePages, DESKTOP, takePage, type Visitor } from './pages'
import { ADMIN, idOfWorkspace } from './workspaces'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** How bad it is that a page breaks a rule of axe-core, if that is a failure. */
const FAILURES = ['serious', 'critical']

/** axe-core in a page. Its types leave out the rules. */
interface Axe {
  run: typeof import('axe-core').run
  _audit: { rules: { id: string; impact: string }[] }
}

/** A page of a test does not live long enough for its scripts to be optimised at a gain. */
const SCRIPTS_AS_THEY_ARE = '--js-flags=--no-maglev,--no-opt'

/** The browser of this worker, which ends with it. */
let started: Browser | undefined

async function browserOf(program: string): Promise<Browser> {
  if (started?.isConnected()) return started
  started = await startChromium(program, [SCRIPTS_AS_THEY_ARE])
  return started
}

/** Stories that happen in one browser; they are skipped if there is none. */
export function describeInBrowser(title: string, stories: (browser: () => Browser) => void): void {
  const program = inject('chromium')
  describe.skipIf(program === undefined)(title, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await browserOf(program!)
    })
    afterAll(async () => {
      await closePages(browser)
    })
    stories(() => browser)
  })
}

/** What the browser says of pages that are as they should be: requests that are answered with a refusal on purpose. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/

/** Characters of what a page shows that are told. */
const MOST_SHOWN = 1500

/** A page that is stuck must not hold up what is told of it. */
async function pageText(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: Error) => `cannot be read: ${error.message.split('\n', 1)[0]}`)
  const lines = text.replaceAll(/\n\s*\n+/g, '\n')
  return `${page.url()} shows:\n${lines.slice(0, MOST_SHOWN)}${lines.length > MOST_SHOWN ? ' …' : ''}`
}

/** One person's visit to the console, who is told of whatever goes wrong in the page. */
export class Visit {
  readonly page: Page
  readonly faults: string[] = []
  readonly #leave: () => Promise<void>

  private constructor({ page, leave }: Awaited<ReturnType<typeof takePage>>) {
    this.#leave = leave
    this.page = page
    openVisits.add(this)
    page.on('pageerror', (error) => this.faults.push(error.message))
    page.on('console', (message) => {
      const text = message.text()
      if (['error', 'warning'].includes(message.type()) && !EXPECTED.test(text)) this.faults.push(text)
    })
    page.on('request', (request) => {
      const url = new URL(request.url())
      const local = ['localhost', '127.0.0.1'].includes(url.hostname) || ['blob:', 'data:'].includes(url.protocol)
      if (!local) this.faults.push(`a request to ${url.origin}`)
    })
  }

  static async begin(browser: Browser, visitor: Visitor = DESKTOP): Promise<Visit> {
    return new Visit(await takePage(browser, visitor))
  }

  /** Logs in at the provider with one of its accounts. */
  async logIn(account: string): Promise<void> {
    await this.page.getByRole('link', { name: 'Log in', exact: true }).click()
    await this.page.getByRole('button', { name: account }).click()
    await this.page.waitForURL('**/console/**')
  }

  /** A phone shows the navigation only when it is asked to. */
  async #showNavigation(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor()
    const burger = this.page.getByRole('button', { name: 'Open the navigation' })
    if (await burger.isVisible()) await burger.click()
  }

  /** Goes to an address as a link of the page does, which takes a tenth of loading the page. */
  async follow(address: string): Promise<void> {
    await this.page.evaluate((to) => history.pushState(null, '', to), address)
  }

  /** Follows a link of the navigation. */
  async open(name: string): Promise<void> {
    await this.#showNavigation()
    await this.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name, exact: true }).click()
    await this.page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }

  /** Chooses one of the four catalogs, in the navigation. */
  async chooseCatalog(name: string): Promise<void> {
    await this.#showNavigation()
    await this.page.getByRole('radiogroup', { name: 'Catalog' }).getByText(name, { exact: true }).click()
  }

  /** Holds requests to an address back. @returns lets them go on, and later ones too */
  async hold(address: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await this.page.route(address, async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  /** Clicks what downloads a file. */
  async download(click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), click()])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }

  /**
   * To be called once for each page, over all tests: it takes as long as loading the page.
   *
   * @throws when axe-core finds something serious, the page is wider than the screen, or something went wrong in it
   */
  async expectGood(): Promise<void> {
    // Colours that are on their way to others have the contrast of neither.
    const hasAxe = await this.page.evaluate(async () => {
      // What stands in for something that is being loaded moves without an end.
      const ending = document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY)
      await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)))
      return 'axe' in window
    })
    if (!hasAxe) await this.page.evaluate(axe)
    const { violations } = await this.page.evaluate((failures): Promise<AxeResults> => {
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
    const serious = violations
      .filter(({ impact }) => FAILURES.includes(impact ?? ''))
      .map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
      )
    expect(serious).toEqual([])
    await this.expectFits()
  }

  /** @throws when the page is wider than the screen, or something went wrong in it */
  async expectFits(): Promise<void> {
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, 'pixels that the page is wider than the screen').toBeLessThanOrEqual(0)
    expect(this.faults).toEqual([])
  }

  /** What its pages show, for the message of a test that fails. */
  async tell(): Promise<string> {
    const shown = await Promise.all(this.page.context().pages().map(pageText))
    return [...shown, `Faults of the page:`, ...this.faults].join('\n')
  }

  /** @throws when something went wrong in the page at any time */
  async end(): Promise<void> {
    openVisits.delete(this)
    await this.#leave()
    expect(this.faults).toEqual([])
  }
}

/** What a browser has after the login of an account; one login serves all visits of a worker. */
const logins = new Map<string, Cookie[]>()

const cookiesOf = (visit: Visit): Promise<Cookie[]> => visit.page.context().cookies()

async function logIn(browser: Browser, account: string): Promise<Cookie[]> {
  const visit = await Visit.begin(browser, DESKTOP)
  await visit.page.goto('/console/')
  await visit.logIn(account)
  const cookies = await cookiesOf(visit)
  await visit.end()
  return cookies
}

/** Where the pages are, by their names. */
const ADDRESSES = {
  Overview: '/console/',
  Upload: '/console/medication/upload',
  Catalog: '/console/medication/catalog',
  History: '/console/medication/history',
  'Partner search': '/console/medication/search',
  Watch: '/console/watch',
  Members: '/console/members',
  Developers: '/console/developers',
}

/** Comes back, logged in, to a page of a workspace that was chosen before. */
export async function visitAt(
  browser: Browser,
  workspace: string,
  page: keyof typeof ADDRESSES,
  { account = ADMIN, ...visitor }: Visitor & { account?: string } = DESKTOP,
): Promise<Visit> {
  const login = logins.get(account) ?? (await logIn(browser, account))
  logins.set(account, login)
  const visit = await Visit.begin(browser, visitor)
  await visit.page.context().addCookies(login)
  await visit.page.evaluate((id) => localStorage.setItem('catalog-console-workspace', id), idOfWorkspace(workspace))
  await visit.page.goto(ADDRESSES[page])
  const banner = visit.page.getByRole('banner')
  const entrance = visit.page.getByRole('link', { name: 'Log in', exact: true })
  await banner.or(entrance).waitFor()
  // A story before this one has logged out.
  if (await entrance.isVisible()) {
    await visit.logIn(account)
    logins.set(account, await cookiesOf(visit))
  }
  await visit.page.getByRole('heading', { level: 1, name: page, exact: true }).waitFor()
  return visit
}
