/**
 * How long each migration takes on a database of a million records. D1 ends a migration after 30 seconds, so a longer
 * one could never be applied to a large database. The figures are measured once for each migration and kept in a
 * list, so that the check itself takes no time.
 */
export const SECONDS_FILE = 'SECONDS'

/** The most that a migration may take here. The machines of D1 may be slower, and it ends a migration after 30. */
export const MAX_SECONDS = 10

/** Longer ones from before this rule, which are never edited. docs/upgrading.md says what to do with them. */
const KNOWN = ['0020_word_index.sql', '0063_word_lists.sql', '0064_listed_words.sql']

/** @returns {Map<string, number>} seconds by the names of the files */
export function parseSeconds(text) {
  const lines = text.split('\n').filter((line) => line !== '')
  return new Map(
    lines.map((line) => {
      const [, seconds, name] = /^ *(\d+\.\d) {2}(\S+)$/.exec(line) ?? []
      if (!name) throw new Error(`${SECONDS_FILE}: not a line of the list: ${line}`)
      return [name, Number(seconds)]
    }),
  )
}

/** @param {Map<string, number>} seconds */
export const formatSeconds = (seconds) =>
  [...seconds]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, figure]) => `${figure.toFixed(1).padStart(5)}  ${name}\n`)
    .join('')

/**
 * @param {Map<string, number>} seconds
 * @param {string[]} names of the migrations
 * @returns {string[]} what is wrong
 */
export function secondsErrors(seconds, names) {
  const unknown = [...seconds.keys()].filter((name) => !names.includes(name))
  return [
    ...unknown.map((name) => `${name}: is in ${SECONDS_FILE} and is no migration`),
    ...names
      .filter((name) => !seconds.has(name))
      .map(
        (name) =>
          `${name}: is not in ${SECONDS_FILE}; measure it with \`node scripts/migrations/check.mjs --record\``,
      ),
    ...names
      .filter((name) => seconds.get(name) > MAX_SECONDS && !KNOWN.includes(name))
      .map(
        (name) =>
          `${name}: takes ${seconds.get(name)} s on a million records, and D1 ends it after 30. ` +
          'Let the scheduled run move the data in steps.',
      ),
  ]
}

/** Records of the two databases that are measured, how often each is, and the number that is asked for. */
const SIZES = [10_000, 20_000]
const RUNS = 2
const RECORDS = 1_000_000

/** Shorter times say nothing about how they grow, in seconds. */
const NOTICEABLE = 0.02

/**
 * What a million records take, from the times of two sizes. The work grows at least with the number of records, and as
 * much faster as it did between the two.
 *
 * @param {[number, number]} times in seconds, of the smaller and the larger database
 */
export function extrapolated([small, large]) {
  const growth = large < NOTICEABLE ? 1 : Math.log(large / small) / Math.log(SIZES[1] / SIZES[0])
  return large * (RECORDS / SIZES[1]) ** Math.min(2, Math.max(1, growth))
}

/** The shortest time of each migration: the others had other work of this process in them. */
async function shortest(timesOf, records) {
  const times = new Map()
  for (let run = 0; run < RUNS; run++) {
    for (const [name, time] of await timesOf(records))
      times.set(name, Math.min(time, times.get(name) ?? Number.POSITIVE_INFINITY))
  }
  return times
}

/**
 * Measures all migrations.
 *
 * @param {(records: number) => Promise<Map<string, number>>} timesOf seconds by migration in a database of so many
 * records
 * @returns {Promise<Map<string, number>>} seconds on a million records
 */
export async function measure(timesOf) {
  const [small, large] = [await shortest(timesOf, SIZES[0]), await shortest(timesOf, SIZES[1])]
  return new Map([...large].map(([name, time]) => [name, extrapolated([small.get(name), time])]))
}
