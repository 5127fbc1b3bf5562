/** The rows of the result, and their table. */

/** The middle sample, or the mean of the two middle ones. */
export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * @typedef {object} Row
 * @property {string} work
 * @property {number[]} samples one per run, in milliseconds or in `unit`
 * @property {string} [unit]
 * @property {number[]} [floor] samples of the floor in the same runs
 * @property {string} [compared] the figure to compare with the bar
 * @property {string} [bar]
 * @property {boolean} [met] absent if there is no bar
 */

/**
 * A part of the benchmark. The last option prints progress.
 *
 * @typedef {(medications: import('./catalogs.mjs').Catalog, options: { runs: number, quick: boolean,
 *   say: (text: string) => void }) => Promise<{ rows: Row[], notes: string[] }>} Measure
 */

/**
 * @param {string} work
 * @param {number[]} samples
 * @param {number} ratio the figure to compare with the bar
 * @param {number | undefined} limit the highest ratio, if there is a bar
 * @param {string} of the denominator of the ratio
 * @returns {Row}
 */
export function ratioRow(work, samples, ratio, limit, of) {
  const row = { work, samples, compared: `${ratio.toFixed(2)} x` }
  return limit === undefined ? row : { ...row, bar: `<= ${limit} x ${of}`, met: ratio <= limit }
}

/** @returns {Row} compared with the floor, as a ratio of medians */
export const floorRow = (work, samples, floor, limit) => ({
  ...ratioRow(work, samples, median(samples) / median(floor), limit, 'floor'),
  floor,
})

/** @returns {Row} compared with a fixed upper limit of the median */
export function limitRow(work, samples, limit, unit) {
  const value = median(samples)
  const compared = `${value.toFixed(1)} ${unit}`
  return { work, samples, unit, compared, bar: `< ${limit} ${unit}`, met: value < limit }
}

const figure = (value) =>
  value === undefined ? '' : value < 100 ? value.toFixed(value < 10 ? 2 : 1) : value.toFixed(0)

/** @param {Row} row */
function cellsOf({ work, samples, unit = 'ms', floor, compared = '', bar = '', met }) {
  return [
    work,
    unit,
    figure(median(samples)),
    figure(Math.min(...samples)),
    figure(Math.max(...samples)),
    floor ? figure(median(floor)) : '',
    compared,
    bar,
    met === undefined ? '' : met ? 'pass' : 'FAIL',
  ]
}

/**
 * Lines of text in columns: the first column is left-aligned, numbers are right-aligned.
 *
 * @param {string[]} head
 * @param {string[][]} lines
 */
export function aligned(head, lines) {
  const widths = head.map((name, column) => Math.max(name.length, ...lines.map((cells) => cells[column].length)))
  const isNumber = (column) => column > 0 && lines.every((cells) => /^$|^[-+]?[\d.]/.test(cells[column]))
  const line = (cells) =>
    cells
      .map((cell, column) => (isNumber(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd()
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...lines.map(line)].join('\n')
}

const HEAD = ['work', 'unit', 'median', 'min', 'max', 'floor', 'compared', 'bar', 'verdict']

/** @param {Row[]} rows */
export const resultTable = (rows) => aligned(HEAD, rows.map(cellsOf))
