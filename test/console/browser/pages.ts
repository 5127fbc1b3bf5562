/**
 * Pages of a browser. One whose visit has ended is used again: its process has compiled the scripts of the console, so
 * it costs half as much as a new one.
 */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { service } from './workspaces'

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

/** For a story that changes the clock or the line of its page, or what runs in it. */
export const NEW_PAGE: Visitor = { ...DESKTOP, hasNewPage: true }

/**
 * How long anything may take in a page, in milliseconds: many times what it takes, for machines that are busy or slow.
 */
const PAGE_TIMEOUT_MS = 60_000

/** An answer of the service without scripts, at which a page waits for its next visit. */
const NO_PAGE = '/health'

/** Pages that wait for their next visit, by the options of their contexts. */
const freePages = new Map<string, Page>()

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    ...options,
    // What moves is not where, nor as it will be, when a test looks at it.
    reducedMotion: 'reduce',
    baseURL: service().origin,
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  const page = await context.newPage()
  page.setDefaultTimeout(PAGE_TIMEOUT_MS)
  await page.goto(NO_PAGE)
  return page
}

/** Makes a page as it was before its visit. @throws Error if the visit has changed its clock, which stays so */
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

/** @returns a page for one visit, and what ends it */
export async function takePage(browser: Browser, { hasNewPage = false, ...options }: Visitor) {
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
export async function closePages(browser: Browser): Promise<void> {
  const free = new Set([...freePages.values()].map((page) => page.context()))
  for (const context of browser.contexts()) if (!free.has(context)) await context.close()
}
