/** The console in a browser: how long a user waits, whether the page stays responsive, and how large it is. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { DEMO_MEMBERS } from '../scripts/local/demo.mjs'
import { findChromium, startChromium } from '../test/console/browser/chromium.mjs'
import { slowDown, Wire } from '../test/console/browser/wire.mjs'
import { bodyOf, workbookOf } from './catalogs.mjs'
import { scratchDirectory } from './processes.mjs'
import { Service } from './service.mjs'
import { limitRow } from './table.mjs'

/** Bars of the requirements, for a catalog that already contains all of the records. */
const BARS = {
  csvMs: 2500,
  xlsxMs: 5000,
  slowRowMs: 1600,
  slowCsvMs: 14_000,
  longestTaskMs: 100,
  firstPageKb: 250,
}

/** A slow connection: its rate in bits per second, and its latency in each direction in milliseconds. */
const SLOW_LINE = { bitsPerSecond: 750_000, latencyMs: 60 }

/** A slow computer: the factor by which everything in the page takes longer. */
const SLOW_COMPUTER = 4

/** Timeout for any step in the page, in milliseconds. */
const PAGE_TIMEOUT_MS = 180_000

const ADMIN = DEMO_MEMBERS.find(({ role }) => role === 'admin').email

/** Opens a page with an empty cache and measures its responses until the network is idle. */
async function measuredLoad(context, address, timeoutMs) {
  const page = await context.newPage()
  page.setDefaultTimeout(timeoutMs)
  const wire = await Wire.of(page)
  await page.goto(address)
  await page.waitForLoadState('networkidle')
  return { page, figures: { bytes: wire.bytes, heaviest: wire.heaviest } }
}

/** Runs before the page's scripts. Records when a file is chosen, when its preview appears, and the long tasks. */
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
    // The counts, and below them the first list of changes.
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

  /** Simulates a slow connection and a slow computer. */
  async slowDown() {
    await slowDown(this.#page, SLOW_LINE)
    const session = await this.#page.context().newCDPSession(this.#page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOW_COMPUTER })
  }

  /** Chooses a file and waits for its preview. @returns {Promise<{ ms: number, longestTaskMs: number }>} */
  async preview(file) {
    // The first evaluation in a page takes longer than later ones, and would count as a task of the console.
    await this.#page.waitForFunction(() => globalThis.benchmark.shown === undefined)
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

  /** Applies the previewed changes. @returns {Promise<number>} milliseconds */
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
 * Opens the console for the first time and logs in.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {import('./service.mjs').Service} service
 * @param {number} timeoutMs timeout for any step in the page
 */
async function firstVisit(browser, service, timeoutMs) {
  const workspace = await service.newWorkspace()
  await service.operator.addMember(workspace.id, ADMIN)
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

/** A catalog as files on disk, as a user would drop them. */
function filesOf(catalog, name) {
  const directory = scratchDirectory('console')
  const csv = path.join(directory, `${name}.csv`)
  writeFileSync(csv, bodyOf(catalog, 'csv').bytes)
  const workbook = path.join(directory, `${name}.xlsx`)
  writeFileSync(workbook, workbookOf(catalog))
  return { csv, workbook }
}

/** A catalog without cells such as “N/A”, which the page would ask about before it continues. */
const withoutPlaceholders = ({ columns, rows }) => ({
  columns,
  rows: rows.map((cells) => cells.map((cell) => (cell.trim() === 'N/A' ? '' : cell))),
})

/** Rows with changes: more than the preview shows of one kind. */
const CHANGED_ROWS = 60

/** A catalog with changed records at its beginning. @param {import('./catalogs.mjs').Catalog} catalog */
const withChanges = ({ columns, rows }) => ({
  columns,
  rows: rows.map((cells, row) => (row < CHANGED_ROWS ? cells.with(columns.indexOf('strength'), '7 mg') : cells)),
})

/** The first record of a catalog under a new ID. @param {import('./catalogs.mjs').Catalog} catalog */
const newRow = ({ columns, rows: [first] }) => first.with(columns.indexOf('medication_id'), 'NEW-1')

/**
 * The times and longest tasks of one file, with a new page for each run. @param isSlow whether the connection and the
 * computer are slow
 */
async function previews(context, file, runs, isSlow = false) {
  const times = []
  const tasks = []
  for (let run = 0; run < runs; run++) {
    const page = await context.openUpload()
    if (isSlow) await page.slowDown()
    const { ms, longestTaskMs } = await page.preview(file)
    times.push(ms)
    tasks.push(longestTaskMs)
    await page.close()
  }
  return { times, tasks }
}

/**
 * A file over a slow connection, from the drop until its last record is in the catalog.
 *
 * @returns {Promise<{ row: import('./table.mjs').Row, note?: string }>}
 */
async function overSlowLine(context, file, size) {
  const page = await context.openUpload()
  await page.slowDown()
  const work = `slow line (${SLOW_LINE.bitsPerSecond / 1000} kbit/s), drop to written`
  const bar = { compared: 'gets through', bar: 'gets through' }
  const started = performance.now()
  try {
    await page.preview(file)
    await page.confirm(size)
    return { row: { work, samples: [performance.now() - started], ...bar, met: true } }
  } catch (error) {
    const row = { work, samples: [performance.now() - started], ...bar, compared: 'fails', met: false }
    return { row, note: `Over the slow line: ${error.message}` }
  } finally {
    await page.close()
  }
}

/** Measures the console against a separate service. @type {import('./table.mjs').Measure} */
export const measureConsole = async (medications, { runs, say }) => {
  const program = findChromium()
  if (program === undefined) {
    return { rows: [], notes: ['The console was not measured: there is no Chromium on this machine.'] }
  }
  const catalog = withoutPlaceholders(medications)
  const files = filesOf(catalog, 'medications')
  const added = { ...catalog, rows: [...catalog.rows, newRow(catalog)] }
  const changed = filesOf(added, 'changed')
  const manyChanges = filesOf(withChanges(catalog), 'many-changes')
  const one = filesOf({ ...catalog, rows: [newRow(catalog)] }, 'one')
  const size = medications.rows.length
  const service = await Service.start()
  const browser = await startChromium(program)
  try {
    say('console, first visit')
    const visits = []
    for (let run = 0; run < runs; run++) visits.push(await firstVisit(browser, service, PAGE_TIMEOUT_MS))
    const context = visits.at(-1)
    say('console, a slow line')
    const slow = await overSlowLine(context, files.csv, size)
    say('console, a full catalog')
    const csv = await previews(context, changed.csv, runs)
    const workbook = await previews(context, changed.workbook, runs)
    const slowRow = await previews(context, one.csv, runs, true)
    const slowCsv = await previews(context, changed.csv, runs, true)
    const slowChanges = await previews(context, manyChanges.csv, runs, true)
    const slowWorkbook = await previews(context, changed.workbook, runs, true)
    const kilobytes = (of) => visits.map((visit) => visit[of].bytes / 1000)
    return {
      rows: [
        limitRow('first page over the wire, logged in', kilobytes('catalog'), BARS.firstPageKb, 'kB'),
        { work: 'first page over the wire, to log in', samples: kilobytes('login'), unit: 'kB' },
        slow.row,
        limitRow('full catalog: drop to preview, CSV with a new row', csv.times, BARS.csvMs, 'ms'),
        limitRow('full catalog: drop to preview, workbook with a new row', workbook.times, BARS.xlsxMs, 'ms'),
        limitRow(
          'full catalog: longest task of the page meanwhile',
          [...csv.tasks, ...workbook.tasks],
          BARS.longestTaskMs,
          'ms',
        ),
        limitRow('full catalog, slow: one row to preview', slowRow.times, BARS.slowRowMs, 'ms'),
        limitRow('full catalog, slow: CSV with a new row to preview', slowCsv.times, BARS.slowCsvMs, 'ms'),
        limitRow(
          'full catalog, slow: longest task of the page meanwhile',
          [...slowRow.tasks, ...slowCsv.tasks, ...slowChanges.tasks, ...slowWorkbook.tasks],
          BARS.longestTaskMs,
          'ms',
        ),
      ],
      notes: [
        `Heaviest parts of the first page:\n${visits[0].catalog.heaviest.join('\n')}`,
        ...(slow.note === undefined ? [] : [slow.note]),
      ],
    }
  } finally {
    await browser.close()
    await service.stop()
  }
}
