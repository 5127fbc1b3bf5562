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
      body: JSON.stringify([{ medication_id: '1', name, sku: 'A  12' }]),
    })
    expect(response.status).toBe(200)
  }
  const entries = () => read('select term, doc from records_entries order by term, doc')
  const before = await entries()
  expect(before).toHaveLength(6)
  await env.DB.exec('delete from records_search')
  expect(await entries()).toEqual([])
  for await (const statement of searchIndex(read)) await env.DB.prepare(statement).run()
  expect(await entries()).toEqual(before)
})
