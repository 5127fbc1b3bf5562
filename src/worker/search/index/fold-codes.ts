import { type SQL, sql } from 'drizzle-orm'
import { wordsOf } from '#shared/records/search-text'
import { firstRowId } from '#worker/storage/catalog-scope'
import { type Database, int } from '#worker/storage/database'

/**
 * Codes that SQL cannot fold: those with letters beyond ASCII, or with other white space than single spaces. The
 * trigger that adds them leaves them for the Worker (`record_codes.folding` is 1), which folds them right after the
 * write. The scheduled run folds those that a move, an upgrade or an earlier release left.
 */

/** Codes of one step, and their characters: some ten milliseconds in the database. */
const CODES_PER_STEP = 1000
const CHARACTERS_PER_STEP = 200_000

/** Steps of one run, and milliseconds after which a write starts no further step. The scheduled run does the rest. */
const MOST_FOLDING_STEPS = 40
const LONGEST_FOLDING_MS = 5000

interface UnfoldedCode {
  catalog_id: number
  code: string
  row_id: number
}

const UNFOLDED = sql.raw('record_codes indexed by record_codes_folding where folding > 0 and folding = 1')

/** Such codes of a catalog, as the end of a query. */
const unfoldedOf = (catalog: SQL): SQL =>
  sql`${UNFOLDED} and row_id >= ${firstRowId(catalog)} and row_id < ${firstRowId(sql`(${catalog} + 1)`)}`

/** The first record of a catalog with such a code; null if there is none. */
export const firstUnfolded = (catalog: SQL): SQL => sql`(select min(row_id) from ${unfoldedOf(catalog)})`

/** A code as it is compared with a query. */
export const foldCode = (code: string): string => wordsOf(code).join(' ')

/** As many codes as one statement takes, at least one. */
function someOf(codes: readonly UnfoldedCode[]): UnfoldedCode[] {
  let characters = 0
  const end = codes.findIndex(({ code }, n) => {
    characters += code.length
    return n > 0 && characters > CHARACTERS_PER_STEP
  })
  return end === -1 ? [...codes] : codes.slice(0, end)
}

/** A code that folds to nothing is not kept. A record that has changed meanwhile has other codes, or the same. */
function foldedStatements(codes: readonly UnfoldedCode[]): SQL[] {
  const list = JSON.stringify(
    codes.map(({ catalog_id, code, row_id }) => [catalog_id, row_id, code, foldCode(code)]),
  )
  const sent = sql`(select value ->> 0 as catalog_id, value ->> 1 as row_id, value ->> 2 as code, value ->> 3 as folded
    from json_each(${list})) as sent`
  return [
    sql`insert into record_codes (catalog_id, code, row_id, folding)
      select catalog_id, folded, row_id, 2 from ${sent} where folded <> '' and exists (select 1 from record_codes as c
        where c.catalog_id = sent.catalog_id and c.code = sent.code and c.row_id = sent.row_id and c.folding = 1)
      on conflict do update set folding = 2`,
    sql`delete from record_codes where folding = 1
      and (catalog_id, code, row_id) in (select catalog_id, code, row_id from ${sent})`,
  ]
}

/** @returns whether there may be more */
async function foldStep(db: Database, unfolded: SQL): Promise<boolean> {
  const waiting = await db.all<UnfoldedCode>(
    sql`select catalog_id, code, row_id from ${unfolded} order by row_id limit ${int(CODES_PER_STEP)}`,
  )
  if (waiting.length === 0) return false
  const some = someOf(waiting)
  await db.retrying(() => db.batch(foldedStatements(some)))
  return some.length < waiting.length || waiting.length === CODES_PER_STEP
}

/**
 * @param catalog id of the only catalog, as an expression
 * @returns number of steps
 */
export async function foldCodes(db: Database, catalog?: SQL): Promise<number> {
  const unfolded = catalog === undefined ? UNFOLDED : unfoldedOf(catalog)
  const until = Date.now() + LONGEST_FOLDING_MS
  let steps = 0
  for (let more = true; more && steps < MOST_FOLDING_STEPS && Date.now() < until; steps++) {
    more = await foldStep(db, unfolded)
  }
  return steps
}
