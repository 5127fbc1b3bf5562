import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Cookie, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject } from 'vitest'
import { seriousFaults } from './axe'
import { startChromium } from './chromium.mjs'
import { textsOfReact } from './translation'
import { ADMIN, idOfWorkspace, service } from './workspaces'

/** A test's page does not live long enough for optimizing its scripts to pay off. */
const SCRIPTS_AS_THEY_ARE = '--js-flags=--no-maglev,--no-opt'

export const DESKTOP: BrowserContextOptions = { viewport: { width: 1280, height: 900 }, colorScheme: 'light' }
export const PHONE: BrowserContextOptions = {
  viewport: { width: 390, height: 844 },
  colorScheme: 'dark',
  hasTouch: true,
  isMobile: true,
}

export interface Visitor extends BrowserContextOptions {
  hasNewPage?: boolean
}

/** For a story that changes the clock, the connection or the scripts of its page. */
export const NEW_PAGE: Visitor = { ...DESKTOP, hasNewPage: true }

/** Timeout for any step in a page, in milliseconds: many times the usual duration, for busy or slow machines. */
const PAGE_TIMEOUT_MS = 60_000

/** A response of the service without scripts, at which a page waits for its next visit. */
const NO_PAGE = '/health'

/** Pages that wait for their next visit, by the options of their contexts. */
const freePages = new Map<string, Page>()

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    // A test should see elements in their final position and appearance.
    reducedMotion: 'reduce',
    baseURL: service().origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await page.goto(NO_PAGE)
  return page
}

/** Resets a page after a visit. @throws Error if the visit has changed its clock, which cannot be reset */
async function clear(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'pageerror', 'request'] as const) await page.removeAllListeners(event)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  for (const other of page.context().pages()) if (other !== page) await other.close()
  await page.goto(NO_PAGE)
  const now = await page.evaluate(() => {
    localStorage.clear()
    sessionStorage.clear()
    return Date.now()
  })
  if (Math.abs(now - Date.now()) > PAGE_TIMEOUT_MS) throw new Error('This story needs a NEW_PAGE.')
  await page.context().clearCookies()
}

/** @returns a page for one visit, and the function that ends the visit */
async function takePage(browser: Browser, { hasNewPage = false, ...options }: Visitor) {
  const key = JSON.stringify(options)
  const free = hasNewPage ? undefined : freePages.get(key)
  if (free !== undefined) freePages.delete(key)
  const page = free ?? (await newPage(browser, options))
  if (options.viewport) await page.setViewportSize(options.viewport)
  const leave = async () => {
    if (hasNewPage || freePages.has(key)) return page.context().close()
    await clear(page)
    freePages.set(key, page)
  }
  return { page, leave }
}

/** Closes the pages of visits that have not ended. */
async function closePages(browser: Browser): Promise<void> {
  const free = new Set([...freePages.values()].map((page) => page.context()))
  for (const context of browser.contexts()) if (!free.has(context)) await context.close()
}

/** The browser of this worker, which ends with it. */
let started: Browser | undefined

async function browserOf(program: string): Promise<Browser> {
  if (started?.isConnected()) return started
  started = await startChromium(program, [SCRIPTS_AS_THEY_ARE])
  return started
}

/** Visits that have begun and not ended. */
const openVisits = new Set<Visit>()

/** Lines of the service's log to print with a failure. */
const LOG_LINES = 25

function logTail(): string {
  const lines = readFileSync(service().logFile, 'utf8').trimEnd().split('\n')
  return `The end of the service's log:\n${lines.slice(-LOG_LINES).join('\n')}`
}

/**
 * Stories that happen in one browser. They are skipped without one. A visit that a test begins ends with it. If a test
 * fails, the pages of its visits and the service's log are added to its message.
 */
export function describeInBrowser(title: string, stories: (browser: () => Browser) => void): void {
  const program = inject('chromium')
  describe.skipIf(program === undefined)(title, () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await browserOf(program!)
    })
    afterAll(() => closePages(browser))
    let before: ReadonlySet<Visit>
    beforeEach(() => {
      before = new Set(openVisits)
    })
    afterEach(async ({ task }) => {
      const error = task.result?.errors?.[0]
      if (error !== undefined) {
        const told = await Promise.all([...openVisits].map((visit) => visit.tell()))
        error.message = [error.message, ...told, logTail()].join('\n\n')
      }
      for (const visit of openVisits) if (!before.has(visit)) await visit.end()
    })
    stories(() => browser)
  })
}

/** Console messages of error-free pages: requests that are rejected on purpose. */
const EXPECTED = /Failed to load resource: the server responded with a status of 4\d\d/

/** Characters of a page's text to report. */
const MOST_SHOWN = 1500

/** A page that does not respond must not block the report. */
async function pageText(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: Error) => `cannot be read: ${error.message.split('\n', 1)[0]}`)
  const lines = text.replaceAll(/\n\s*\n+/g, '\n')
  return `${page.url()} shows:\n${lines.slice(0, MOST_SHOWN)}${lines.length > MOST_SHOWN ? ' …' : ''}`
}

/** One user's visit to the console. Records everything that goes wrong in the page. */
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

  /** A phone hides the navigation until it is opened. */
  async #showNavigation(): Promise<void> {
    await this.page.getByRole('heading', { level: 1 }).waitFor()
    const burger = this.page.getByRole('button', { name: 'Open the navigation' })
    if (await burger.isVisible()) await burger.click()
  }

  /** Navigates to a path like a link of the page, which takes a tenth of the time of loading the page. */
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

  /** Delays requests to a path. @returns a function that lets these and later ones continue */
  async hold(address: string): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    await this.page.route(address, async (route) => {
      await promise
      await route.continue()
    })
    return resolve
  }

  /** Clicks a download link or button. */
  async download(click: () => Promise<void>): Promise<{ name: string; bytes: Buffer }> {
    const [download] = await Promise.all([this.page.waitForEvent('download'), click()])
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
  }

  /**
   * Call this once for each page, over all tests: it takes as long as loading the page.
   *
   * @throws if axe-core finds a serious violation, the page is wider than the screen, or something went wrong in it
   */
  async expectGood(): Promise<void> {
    expect(await seriousFaults(this.page)).toEqual([])
    await this.expectFits()
  }

  /** @throws if the page is wider than the screen, cannot be translated, or something went wrong in it */
  async expectFits(): Promise<void> {
    expect(await textsOfReact(this.page), 'texts that a translation would replace for good').toEqual([])
    const overflow = await this.page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    )
    expect(overflow, 'pixels that the page is wider than the screen').toBeLessThanOrEqual(0)
    expect(this.faults).toEqual([])
  }

  /** Removes the browser's messages about an intentional failure. */
  forgive(expected: RegExp): void {
    const others = this.faults.filter((fault) => !expected.test(fault))
    this.faults.splice(0, this.faults.length, ...others)
  }

  /** The content of its pages, for the message of a failing test. */
  async tell(): Promise<string> {
    const shown = await Promise.all(this.page.context().pages().map(pageText))
    return [...shown, `Faults of the page:`, ...this.faults].join('\n')
  }

  /** @throws if something went wrong in the page at any time */
  async end(): Promise<void> {
    openVisits.delete(this)
    await this.#leave()
    expect(this.faults).toEqual([])
  }
}

/** The state of a browser after the login of an account. One login serves all visits of a worker. */
const logins = new Map<string, Cookie[]>()

/** The paths of the pages, by their names. */
const ADDRESSES = {
  Overview: '/console/',
  Upload: '/console/medication/upload',
  Catalog: '/console/medication/catalog',
  History: '/console/medication/history',
  'Partner search': '/console/medication/search',
  'Sync monitoring': '/console/watch',
  Members: '/console/members',
  Developers: '/console/developers',
}

/** Returns, logged in, to a page of a workspace that was chosen before. */
export async function visitAt(
  browser: Browser,
  workspace: string,
  page: keyof typeof ADDRESSES,
  { account = ADMIN, ...visitor }: Visitor & { account?: string } = DESKTOP,
): Promise<Visit> {
  const visit = await Visit.begin(browser, visitor)
  await visit.page.context().addCookies(logins.get(account) ?? [])
  await visit.page.evaluate((id) => localStorage.setItem('catalog-console-workspace', id), idOfWorkspace(workspace))
  await visit.page.goto(ADDRESSES[page])
  const entrance = visit.page.getByRole('link', { name: 'Log in', exact: true })
  await visit.page.getByRole('banner').or(entrance).waitFor()
  // The first time, and after a story that has logged out.
  if (await entrance.isVisible()) {
    await visit.logIn(account)
    logins.set(account, await visit.page.context().cookies())
  }
  await visit.page.getByRole('heading', { level: 1, name: page, exact: true }).waitFor()
  return visit
}
