import { describe, expect, it } from 'vitest'
import { ServiceClient } from '#client/client'
import { mergeResults } from '#client/merge-results'
import type { WriteResult } from '#console/service/answers'
import { FileSender } from '#console/upload/process/file-sender'
import type { Check, Progress } from '#console/upload/process/stage'
import { serve } from '../../support/proxy.mjs'

describe('the results of several parts', () => {
  const result = (own: Partial<WriteResult>): WriteResult => ({
    ...{ type: 'medication', mode: 'upsert', dry_run: true, revision: 3, epoch: 'third', emptied: { sku: 1 } },
    ...{ total: 2, inserted: 1, updated: 1, reactivated: 0, unchanged: 1, deactivated: 0 },
    ...{ active_before: 10, active_after: 11 },
    warnings: [{ field: 'Colour', msg: 'unknown column, ignored' }],
    ...own,
  })

  it('are merged for a dry run on the same catalog', () => {
    expect(mergeResults([result({}), result({ inserted: 2, active_after: 12 })])).toEqual(
      result({ total: 4, inserted: 3, updated: 2, unchanged: 2, active_after: 13, emptied: { sku: 2 } }),
    )
  })

  it('combine their warnings, with the row numbers of the whole file', () => {
    const similar = (count: number, index: number) => {
      const examples = [{ index, value: 'a' }]
      return { warnings: [{ field: 'id', msg: `${count}`, code: 'similar_id' as const, count, examples }] }
    }
    const { warnings } = mergeResults([result(similar(2, 5)), result(similar(3, 1))], [0, 50])
    expect(warnings).toMatchObject([{ count: 5, examples: [{ index: 5 }, { index: 51 }] }])
  })

  it('are merged for consecutive writes', () => {
    const second = result({ active_before: 11, active_after: 12, revision: 4, epoch: 'fourth' })
    const merged = { active_before: 10, active_after: 12, revision: 4, epoch: 'fourth' }
    expect(mergeResults([result({}), second])).toMatchObject(merged)
  })
})

describe('a file in parts', () => {
  const WRITTEN = {
    ...{ type: 'symptom', mode: 'upsert', total: 1, inserted: 1, updated: 0, reactivated: 0, unchanged: 0 },
    ...{ deactivated: 0, active_before: 1, active_after: 2, epoch: 'e', warnings: [], emptied: {} },
  }

  it('is checked again if another write came in between, and its remaining parts are based on that write', async () => {
    const requests: string[] = []
    let revision = 1
    const { origin, close } = await serve((request, response) => {
      request.resume()
      const { searchParams } = new URL(request.url ?? '', 'http://localhost')
      const expected = searchParams.get('expected_revision')
      const dryRun = searchParams.has('dry_run')
      const name = dryRun ? 'check' : String(request.headers['idempotency-key']).slice(-2)
      requests.push(`${name} ${expected}`)
      // Another user writes after the first part.
      if (requests.length === 4) revision = 10
      const isStale = expected !== null && Number(expected) !== revision
      if (!isStale && !dryRun) revision++
      response.writeHead(isStale ? 409 : 200, { 'Content-Type': 'application/json' })
      const idempotency_key = request.headers['idempotency-key'] ?? null
      const data = { ...WRITTEN, dry_run: dryRun, revision, batch_id: 'b', idempotency_key }
      response.end(JSON.stringify(isStale ? { success: false, message: 'stale' } : { success: true, data }))
    })
    const part = (offset: number) => ({ content: new Blob(), rows: 1, firstRow: offset, lastRow: offset, offset })
    const sender = new FileSender(new ServiceClient({ baseUrl: origin }), 'symptom', 'a.csv', [part(0), part(1)])
    const progress: string[] = []
    const watch = {
      signal: new AbortController().signal,
      onProgress: (one: Progress) => progress.push(`${one.part + 1} of ${one.parts}`),
    }
    const choice = { mode: 'upsert', keepMissing: false } as const
    const first = await sender.check(choice, watch)
    expect(first).toMatchObject({ total: 2, revision: 1 })
    await expect(sender.write(first as Check, false, watch)).rejects.toMatchObject({ status: 409 })
    expect(sender.offset).toBe(1)
    const rest = await sender.check(choice, watch)
    expect(rest).toMatchObject({ total: 1, revision: 10 })
    expect(await sender.write(rest as Check, false, watch)).toMatchObject({ total: 2, revision: 11 })
    expect(requests).toEqual(['check null', 'check 1', '-1 1', '-2 2', 'check null', '-2 10'])
    expect(progress).toEqual(['1 of 2', '2 of 2', '1 of 2', '2 of 2', '2 of 2', '2 of 2'])
    close()
  })
})
