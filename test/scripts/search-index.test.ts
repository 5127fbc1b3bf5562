import { env } from 'cloudflare:workers'
import { expect, it, onTestFinished } from 'vitest'
import { indexStatements } from '../../scripts/database/search-index.ts'
import { newWorkspace } from '../support/credentials'
import { callService } from '../support/service'

it('the statements of a restore fill the search index as the service does, each on one line', async () => {
  for (const name of ['aspirin', 'ibuprofen']) {
    const { token } = await newWorkspace()
    const response = await callService('/admin/datasets/v1/?type=medication', {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([{ medication_id: '1', name, sku: 'A  12' }]),
    })
    expect(response.status).toBe(200)
  }
  onTestFinished(async () => void (await env.DB.exec('drop table records_entries')))
  await env.DB.exec("create virtual table records_entries using fts5vocab('records_search', 'instance')")
  const entries = async () =>
    (await env.DB.prepare('select term, doc from records_entries order by term, doc').all()).results
  const words = async () =>
    (await env.DB.prepare('select * from search_words order by catalog_id, beginning').all()).results
  const listed = await words()
  expect(listed).toHaveLength(2)
  const before = await entries()
  expect(before).toHaveLength(6)
  await env.DB.exec('delete from records_search')
  await env.DB.exec('delete from search_words')
  expect(await entries()).toEqual([])
  // D1's `exec` accepts one statement per line.
  const { results } = await env.DB.prepare('select catalog_id from catalogs').all<{ catalog_id: number }>()
  for (const { catalog_id } of results) await env.DB.exec(indexStatements(catalog_id).join('\n'))
  expect(await entries()).toEqual(before)
  expect(await words()).toEqual(listed)
})
