import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { indexStatement } from '../../scripts/database/search-index.mjs'
import { newWorkspace } from '../support/credentials'
import { callService } from '../support/service'

it('the statement of a restore fills the full-text index as the service does, on one line', async () => {
  for (const name of ['aspirin', 'ibuprofen']) {
    const { token } = await newWorkspace()
    const response = await callService('/admin/datasets/v1/?type=medication', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ medication_id: '1', name, sku: 'A  12' }]),
    })
    expect(response.status).toBe(200)
  }
  await env.DB.exec("create virtual table records_entries using fts5vocab('records_search', 'instance')")
  const entries = async () =>
    (await env.DB.prepare('select term, doc from records_entries order by term, doc').all()).results
  const before = await entries()
  expect(before).toHaveLength(6)
  await env.DB.exec('delete from records_search')
  expect(await entries()).toEqual([])
  // D1's `exec` takes one statement a line.
  await env.DB.exec(indexStatement('true'))
  expect(await entries()).toEqual(before)
})
