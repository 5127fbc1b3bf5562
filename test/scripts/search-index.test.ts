import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { searchIndex } from '../../scripts/database/search-index.mjs'
import { newWorkspace } from '../support/credentials'
import { callService } from '../support/service'

const read = async <T>(sql: string) => (await env.DB.prepare(sql).all<T>()).results

it('the statements at the end of a backup fill the full-text index with the records of every catalog', async () => {
  for (const name of ['aspirin', 'ibuprofen']) {
    const { token } = await newWorkspace()
    const response = await callService('/admin/datasets/v1/?type=medication', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ medication_id: '1', name }]),
    })
    expect(response.status).toBe(200)
  }
  const ids = (await read<{ catalog_id: number }>('select catalog_id from catalogs')).map(
    (row) => row.catalog_id,
  )
  const terms = ids.flatMap((id) => [`"${id}aasp"*`, `"${id}aibu"*`])
  const hits = () =>
    read(`select rowid from records_search where records_search match '${terms.join(' OR ')}' order by 1`)
  const before = await hits()
  expect(before).toHaveLength(2)
  await env.DB.exec('delete from records_search')
  expect(await hits()).toEqual([])
  for await (const statement of searchIndex(read)) await env.DB.prepare(statement).run()
  expect(await hits()).toEqual(before)
})
