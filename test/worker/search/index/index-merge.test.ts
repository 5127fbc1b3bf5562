import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { mergeSearchIndex } from '#worker/search/index/index-merge'
import { catalogDatabase } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { newWorkspace } from '../../../support/credentials'
import { callService, jsonBody } from '../../../support/service'

it('the merge joins the segments that many writes left in the word index, and every record is still found', async () => {
  const { token } = await newWorkspace()
  const headers = { Authorization: `Bearer ${token}` }
  for (let i = 0; i < 7; i++) {
    const record = { symptom_id: String(i), name: `Fever ${'abcdefg'[i]}` }
    const response = await callService('/admin/datasets/v1/?type=symptom', {
      method: 'POST',
      ...jsonBody([record], headers),
    })
    expect(response.status).toBe(200)
  }
  const segments = async () =>
    (await env.DB.prepare('select count(distinct segid) as n from records_search_idx').first<number>('n')) ?? 0
  expect(await segments()).toBeGreaterThan(1)
  const database = catalogDatabase(env, 'DB', new Meter())
  expect(await mergeSearchIndex(database)).toBeGreaterThan(0)
  expect(await segments()).toBe(1)
  expect(await mergeSearchIndex(database)).toBe(0)
  const found = await callService('/admin/datasets/v1/?type=symptom&q=fever', { headers })
  expect(await found.json()).toMatchObject({ total: 7 })
})
