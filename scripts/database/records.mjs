/** What `wrangler d1 export` leaves out of a catalog database, as SQL to be run after it. */

/** Records read, and indexed again, at a time. */
const PAGE_RECORDS = 20_000
/** Records in one statement of corrections: D1 takes 100,000 bytes of SQL, a record some 40 of them. */
const CORRECTIONS_PER_STATEMENT = 2000

/** Whether a number survives the export, which writes integers as JavaScript numbers, that is with 53 bits. */
const survives = (digits) => BigInt(Number(digits)) === BigInt(digits)

/**
 * Puts back the digits of `records.written` that the export rounds away. A record that was written again between the
 * export and this is left alone: its correction would be more than a rounding (at most 2^9 below 2^62).
 *
 * @param {{ seq: string, written: string }[]} rows
 */
function* corrections(rows) {
  const rounded = rows.filter(({ written }) => !survives(written))
  for (let start = 0; start < rounded.length; start += CORRECTIONS_PER_STATEMENT) {
    const pairs = rounded
      .slice(start, start + CORRECTIONS_PER_STATEMENT)
      .map(({ seq, written }) => `[${seq},${written}]`)
    yield 'UPDATE records SET written = exact.written ' +
      'FROM (SELECT value ->> 0 AS seq, value ->> 1 AS written ' +
      `FROM json_each('[${pairs.join(',')}]')) AS exact ` +
      'WHERE records.seq = exact.seq AND abs(records.written - exact.written) <= 512;'
  }
}

/**
 * The statements that complete an export of `records`: exact times, and the full-text index, whose virtual table the
 * export cannot hold.
 *
 * @param {(sql: string) => Promise<{ seq: string, written: string }[]>} read runs a query on the database
 * @throws {Error} when a row id has more digits than the export keeps
 */
export async function* completion(read) {
  let after = '-1'
  for (;;) {
    // As text: a number beyond 2^53 would be rounded on this way as well.
    const rows = await read(
      'SELECT cast(seq AS text) AS seq, cast(written AS text) AS written FROM records ' +
        `WHERE seq > ${after} ORDER BY records.seq LIMIT ${PAGE_RECORDS}`,
    )
    const unsafe = rows.find(({ seq }) => !survives(seq))
    if (unsafe)
      throw new Error(`records.seq ${unsafe.seq} is beyond 2^53; wrangler d1 export would damage it.`)
    yield* corrections(rows)
    const last = rows.at(-1)?.seq
    const upTo = rows.length < PAGE_RECORDS ? '' : ` AND seq <= ${last}`
    yield 'INSERT INTO records_search(rowid, search_text) ' +
      `SELECT seq, search_text FROM records WHERE seq > ${after}${upTo};`
    if (rows.length < PAGE_RECORDS) return
    after = last
  }
}
