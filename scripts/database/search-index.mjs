/** The tokens of a record: each word after its catalog and its place; see `src/search/word-index.ts`. */
const TOKENS = [
  [32, 'b'],
  [10, 'a'],
  [13, 'c'],
  [9, 'd'],
].reduce(
  (text, [separator, place]) => `replace(${text}, char(${separator}), ' ' || catalog_id || '${place}')`,
  'search_text',
)

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
