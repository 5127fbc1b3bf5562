import { env } from 'cloudflare:workers'
import { getTableName } from 'drizzle-orm'
import { describe, expect, it } from 'vitest'
import { WORKSPACE_TABLES } from '#worker/storage/placement/workspace-tables'
import * as control from '#worker/storage/schema/control'

/**
 * They belong to one database, or are made from the rows of other tables: the word index and the codes. Removals of
 * documents are work that any database can do, because all use one bucket.
 */
const STAYING = ['document_removals', 'records_search', 'records_terms', 'search_words', 'catalog_upkeep']

describe('the list of tables that move with a workspace', () => {
  it('says for every table what happens to its rows', async () => {
    const { results } = await env.DB.prepare(
      `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
         and name not like 'sqlite_%' and name not like '_cf_%' and name <> 'd1_migrations' order by name`,
    ).all<{ name: string }>()
    const listed = [
      ...WORKSPACE_TABLES.map(({ name }) => name),
      ...Object.values(control).map(getTableName),
      ...STAYING,
    ]
    expect(listed.sort()).toEqual(results.map(({ name }) => name))
  })

  it('has the columns of the tables in the database', async () => {
    for (const { name, columns } of WORKSPACE_TABLES) {
      const { results } = await env.DB.prepare('select name from pragma_table_info(?)').bind(name).all()
      expect([...columns].sort(), name).toEqual(results.map((row) => row.name).sort())
    }
  })

  it('names every column that holds a row id', () => {
    for (const { name, columns, rowIds } of WORKSPACE_TABLES)
      expect(rowIds, name).toEqual(columns.filter((column) => column.endsWith('row_id')))
  })
})
