/** A person at the console, and what their browser says of it. */
import { DEMO_MEMBERS } from '../scripts/local/demo.mjs'
import { slowDown, Wire } from '../test/console/browser/wire.mjs'

const ADMIN = DEMO_MEMBERS.find(({ role }) => role === 'admin').email

/** Opens a page with an empty cache and reads what comes until it is quiet. */
async function measuredLoad(context, address, timeoutMs) {
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const wire = await Wire.of(page)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  const paintMs = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
  )
  return { page, figures: { bytes: wire.bytes, heaviest: wire.heaviest, paintMs } }
}

/** Runs in the page before its scripts: notes when a file is chosen, when its preview is there, and the long tasks. */
function observe() {
  const seen = { longTasks: [], chosen: undefined, shown: undefined }
  globalThis.benchmark = seen
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) seen.longTasks.push({ startTime, duration })
  }).observe({ type: 'longtask', buffered: true })
  const isFileInput = (target) => target instanceof HTMLInputElement && target.type === 'file'
  document.addEventListener(
    'change',
    ({ target }) => {
      if (isFileInput(target)) seen.chosen = performance.now()
    },
    true,
  )
  new MutationObserver(() => {
    if (seen.chosen === undefined || seen.shown !== undefined) return
    // The counts, and below them the first list of what would change.
    if (document.querySelector('[aria-labelledby=preview] tbody tr') === null) return
    // Painted, that is before the frame after the next one.
    requestAnimationFrame(() => requestAnimationFrame(() => (seen.shown ??= performance.now())))
  }).observe(document, { childList: true, subtree: true })
}

/** The upload page. */
class UploadPage {
  #page

  constructor(page) {
    this.#page = page
  }

  slowDown(line) {
    return slowDown(this.#page, line)
  }

  /** Chooses a file and waits for what it would change. @returns {Promise<{ ms: number, longestTaskMs: number }>} */
  async preview(file) {
    await this.#page.locator('input[type=file]').setInputFiles(file)
    const failed = this.#page.getByRole('alert').getByRole('button', { name: 'Try again' })
    const shown = this.#page.waitForFunction(() => globalThis.benchmark.shown !== undefined)
    await Promise.race([shown, failed.waitFor().then(async () => Promise.reject(await this.#failure()))])
    return this.#page.evaluate(() => {
      const { longTasks, chosen, shown: end } = globalThis.benchmark
      const meanwhile = longTasks.filter(({ startTime, duration }) => startTime + duration > chosen && startTime < end)
      return { ms: end - chosen, longestTaskMs: Math.max(0, ...meanwhile.map(({ duration }) => duration)) }
    })
  }

  /** Writes what is shown. @returns {Promise<number>} milliseconds */
  async confirm(records) {
    const started = performance.now()
    await this.#page.getByRole('button', { name: `Add ${records.toLocaleString('en')}` }).click()
    await this.#page.getByText('The medications are up to date').waitFor()
    return performance.now() - started
  }

  close() {
    return this.#page.close()
  }

  async #failure() {
    const text = await this.#page.getByRole('main').innerText()
    return new Error(`The page does not show what would change:\n${text}`)
  }
}

/**
 * Comes to the console for the first time and logs in.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('./service.mjs').Service} service
 * @param {number} timeoutMs how long anything may take in the page
 */
export async function firstVisit(browser, service, timeoutMs) {
  const workspace = await service.newWorkspace()
  await service.addMember(workspace.id, ADMIN)
  const context = await browser.newContext({ baseURL: service.origin, reducedMotion: 'reduce' })
  const { page, figures: login } = await measuredLoad(context, '/console/', timeoutMs)
  await page.getByRole('link', { name: 'Log in', exact: true }).click()
  await page.getByRole('button', { name: ADMIN }).click()
  await page.getByRole('button', { name: workspace.id }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.close()
  const { page: again, figures: catalog } = await measuredLoad(context, '/console/', timeoutMs)
  await again.close()
  return {
    login,
    catalog,
    async openUpload() {
      const upload = await context.newPage()
      upload.setDefaultTimeout(timeoutMs)
      await upload.addInitScript(observe)
      await upload.goto('/console/medication/upload')
      await upload.locator('input[type=file]').waitFor({ state: 'attached' })
      return new UploadPage(upload)
    },
  }
}
