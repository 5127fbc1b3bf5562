/**
 * The tokens of a record: each word and each code after its catalog and its place; see
 * `src/worker/search/index/word-index.ts`.
 */
const WORDS = [
  [32, 'b'],
  [10, 'a'],
  [13, 'c'],
  [9, 'd'],
].reduce(
  (text, [separator, place]) => `replace(${text}, char(${separator}), ' ' || catalog_id || '${place}')`,
  'rtrim(search_text, char(10, 13))',
)
export const TOKENS = `${WORDS} || replace(replace(rtrim(codes, char(10)), ' ', ''), char(10), ' ' || catalog_id || 'e')`

/**
 * The statements that fill the full-text index again, one for each catalog. `wrangler d1 export` cannot export this
 * index.
 *
 * @param {(sql: string) => Promise<{ catalog_id: number }[]>} read runs a query on the database
 */
export async function* searchIndex(read) {
  for (const { catalog_id } of await read('SELECT catalog_id FROM catalogs ORDER BY catalog_id')) {
    yield `INSERT INTO records_search(rowid, tokens) SELECT row_id, ${TOKENS} FROM records ` +
      `WHERE catalog_id = ${catalog_id} ORDER BY row_id;`
  }
}
