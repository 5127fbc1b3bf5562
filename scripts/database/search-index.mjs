/** The tokens of a record: each word after its catalog and its place; see `src/worker/search/index/word-index.ts`. */
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

/** How many words are in no list (see `src/worker/search/index/word-index.ts`): a row with the column `unlisted`. */
export const COUNT_UNLISTED = 'SELECT count(*) AS unlisted FROM search_words WHERE listed = 0'

/** Words of one step, as in the view `missing_word_lists`. */
const WORDS_PER_STEP = 5000

/**
 * The statements that list the words of a backup of an earlier release, which had no lists, or did not tell which words
 * are in them. They need the triggers.
 *
 * @param {number} unlisted
 */
export function* wordLists(unlisted) {
  if (unlisted === 0) return
  yield 'UPDATE search_words SET listed = 1 WHERE listed = 0 AND (catalog_id, word, place) IN (SELECT catalog_id, ' +
    'substr(value, 2), lower(substr(value, 1, 1)) FROM search_word_lists CROSS JOIN json_each(words));'
  for (let listed = 0; listed < unlisted; listed += WORDS_PER_STEP) {
    yield 'INSERT INTO search_word_lists (catalog_id, number, words) ' +
      'SELECT catalog_id, number, words FROM missing_word_lists;'
  }
}
