/** The console in a browser: how long a person waits, whether the page stays alive meanwhile, and what it weighs. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { utils, write } from '@e965/xlsx'
import { findChromium, startChromium } from '../test/console/browser/chromium.mjs'
import { bodyOf } from './catalogs.mjs'
import { firstVisit } from './console-visit.mjs'
import { scratchDirectory } from './scratch.mjs'
import { Service } from './service.mjs'
import { limitRow } from './table.mjs'

/** Bars of the requirements. Those with `full` are for a catalog that has all of the records already. */
const BARS = {
  csvMs: 2000,
  xlsxMs: 6000,
  fullCsvMs: 2500,
  fullXlsxMs: 5000,
  slowRowMs: 2000,
  slowCsvMs: 15_000,
  longestTaskMs: 100,
  firstPageKb: 250,
}

/** A line that is slow, in bits a second, and how long each way takes on it, in milliseconds. */
const SLOW_LINE = { bitsPerSecond: 750_000, latencyMs: 60 }

/** How long anything may take in the page, in milliseconds. */
const PAGE_TIMEOUT_MS = 180_000

/** A catalog as files on disk, which a person would drop. */
function filesOf(catalog, name) {
  const directory = scratchDirectory('console')
  const csv = path.join(directory, `${name}.csv`)
  writeFileSync(csv, bodyOf(catalog, 'csv').bytes)
  const workbook = path.join(directory, `${name}.xlsx`)
  const sheet = utils.aoa_to_sheet([catalog.columns, ...catalog.rows], { dense: true })
  const book = utils.book_new(sheet, 'Medications')
  writeFileSync(workbook, write(book, { type: 'buffer', bookType: 'xlsx', compression: true }))
  return { csv, workbook }
}

/** The first record of a catalog as a new one. @param {import('./catalogs.mjs').Catalog} catalog */
const newRow = ({ columns, rows: [first] }) => first.with(columns.indexOf('medication_id'), 'NEW-1')

/**
 * The times and longest tasks of one file, of each run in a new page. @param line on which it is sent, if it is slow
 */
async function previews(context, file, runs, line) {
  const times = []
  const tasks = []
  for (let run = 0; run < runs; run++) {
    const page = await context.openUpload()
    if (line !== undefined) await page.slowDown(line)
    const { ms, longestTaskMs } = await page.preview(file)
    times.push(ms)
    tasks.push(longestTaskMs)
    await page.close()
  }
  return { times, tasks }
}

/**
 * A file over a slow line, from the drop to its last record in the catalog.
 *
 * @returns {Promise<{ row: import('./table.mjs').Row, note?: string }>}
 */
async function overSlowLine(context, file, size) {
  const page = await context.openUpload()
  await page.slowDown(SLOW_LINE)
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

/**
 * Measures the console against a service of its own.
 *
 * @param {import('./catalogs.mjs').Catalog} medications
 * @param {{ runs: number, say: (text: string) => void }} options
 * @returns {Promise<{ rows: import('./table.mjs').Row[], notes: string[] }>}
 */
export async function measureConsole(medications, { runs, say }) {
  const program = findChromium()
  if (program === undefined) {
    return { rows: [], notes: ['The console was not measured: there is no Chromium on this machine.'] }
  }
  const files = filesOf(medications, 'medications')
  const added = { ...medications, rows: [...medications.rows, newRow(medications)] }
  const changed = filesOf(added, 'changed')
  const one = filesOf({ ...medications, rows: [newRow(medications)] }, 'one')
  const size = medications.rows.length
  const service = await Service.start()
  const browser = await startChromium(program)
  try {
    say('console, first visit')
    const visits = []
    for (let run = 0; run < runs; run++) visits.push(await firstVisit(browser, service, PAGE_TIMEOUT_MS))
    const context = visits.at(-1)
    say('console, a file of text')
    const csv = await previews(context, files.csv, runs)
    say('console, a workbook')
    const workbook = await previews(context, files.workbook, runs)
    say('console, a slow line')
    const slow = await overSlowLine(context, files.csv, size)
    say('console, a full catalog')
    const fullCsv = await previews(context, changed.csv, runs)
    const fullWorkbook = await previews(context, changed.workbook, runs)
    const slowRow = await previews(context, one.csv, runs, SLOW_LINE)
    const slowCsv = await previews(context, changed.csv, 1, SLOW_LINE)
    const kilobytes = (of) => visits.map((visit) => visit[of].bytes / 1000)
    return {
      rows: [
        limitRow(`drop to preview, ${size} rows of CSV`, csv.times, BARS.csvMs, 'ms'),
        limitRow(`drop to preview, ${size} rows of a workbook`, workbook.times, BARS.xlsxMs, 'ms'),
        limitRow('longest task of the page meanwhile, CSV', csv.tasks, BARS.longestTaskMs, 'ms'),
        limitRow('longest task of the page meanwhile, workbook', workbook.tasks, BARS.longestTaskMs, 'ms'),
        limitRow('first page over the wire, logged in', kilobytes('catalog'), BARS.firstPageKb, 'kB'),
        { work: 'first page over the wire, to log in', samples: kilobytes('login'), unit: 'kB' },
        { work: 'something on screen, logged in', samples: visits.map(({ catalog }) => catalog.paintMs) },
        slow.row,
        limitRow('full catalog: drop to preview, CSV with a new row', fullCsv.times, BARS.fullCsvMs, 'ms'),
        limitRow('full catalog: drop to preview, workbook with a new row', fullWorkbook.times, BARS.fullXlsxMs, 'ms'),
        limitRow(
          'full catalog: longest task of the page meanwhile',
          [...fullCsv.tasks, ...fullWorkbook.tasks],
          BARS.longestTaskMs,
          'ms',
        ),
        limitRow('full catalog, slow line: one row to preview', slowRow.times, BARS.slowRowMs, 'ms'),
        limitRow('full catalog, slow line: CSV with a new row to preview', slowCsv.times, BARS.slowCsvMs, 'ms'),
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
