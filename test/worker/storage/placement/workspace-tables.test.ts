import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { CONTROL_TABLES, WORKSPACE_TABLES } from '#worker/storage/placement/workspace-tables'

/**
 * They belong to one database, or are derived from the rows of other tables: the word index and the codes. Any database
 * can process removals of documents, because all use one bucket.
 */
const STAYING = [
  ...['document_removals', 'records_search', 'records_terms', 'search_words', 'scheduled_state'],
  // Logins.
  ...['sessions', 'login_codes', 'finished_logins'],
]

describe('the lists of tables for a move and a backup', () => {
  it('define for every table what happens to its rows', async () => {
    const { results } = await env.DB.prepare(
      `select name from pragma_table_list where schema = 'main' and type in ('table', 'virtual')
         and name not like 'sqlite_%' and name not like '_cf_%' and name <> 'd1_migrations' order by name`,
    ).all<{ name: string }>()
    const listed = [...[...WORKSPACE_TABLES, ...CONTROL_TABLES].map(({ name }) => name), ...STAYING]
    expect(listed.sort()).toEqual(results.map(({ name }) => name))
  })

  it('contain the columns of the tables in the database', async () => {
    for (const { name, columns } of WORKSPACE_TABLES) {
      const { results } = await env.DB.prepare('select name from pragma_table_info(?)').bind(name).all()
      expect([...columns].sort(), name).toEqual(results.map((row) => row.name).sort())
    }
  })

  it('name every column that contains a row ID', () => {
    for (const { name, columns, rowIds } of WORKSPACE_TABLES)
      expect(rowIds, name).toEqual(columns.filter((column) => column.endsWith('row_id')))
  })
})
