/**
 * The statements that fill the full-text index again, which `wrangler d1 export` cannot hold: one for each catalog.
 *
 * @param {(sql: string) => Promise<{ catalog_id: number }[]>} read runs a query on the database
 */
export async function* searchIndex(read) {
  for (const { catalog_id } of await read('SELECT catalog_id FROM catalogs ORDER BY catalog_id')) {
    yield 'INSERT INTO records_search(rowid, search_text) ' +
      `SELECT row_id, search_text FROM records WHERE catalog_id = ${catalog_id} ORDER BY row_id;`
  }
}
