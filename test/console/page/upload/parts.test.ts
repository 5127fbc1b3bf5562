import { describe, expect, it } from 'vitest'
import type { WriteResult } from '#console/page/service/answers'
import { partName } from '#console/page/upload/delivery'
import { mergeResults } from '#console/page/upload/merge-results'
import { partsOf } from '#console/page/upload/work/parts'
import { tableOf } from './files'

const text = (rows: number) =>
  ['id,name,Colour', ...Array.from({ length: rows }, (_, i) => `${i + 1},"Näme, ${i + 1}",red`), ''].join(
    '\n',
  )

const split = async (content: string, limits: { bytes: number; rows: number; lines?: number }) => {
  const parts = partsOf(tableOf(content), new TextEncoder().encode(content), { lines: 200_000, ...limits })
  return Promise.all(parts.map(async ({ content: blob, ...part }) => ({ ...part, text: await blob.text() })))
}

describe('a file over the limits of a request', () => {
  it('is split between rows, each part below the header row', async () => {
    const parts = await split(text(5), { bytes: 10_000, rows: 2 })
    expect(parts.map(({ text: _, ...part }) => part)).toEqual([
      { rows: 2, firstRow: 2, lastRow: 3, offset: 0 },
      { rows: 2, firstRow: 4, lastRow: 5, offset: 2 },
      { rows: 1, firstRow: 6, lastRow: 6, offset: 4 },
    ])
    expect(parts[1]!.text).toBe('id,name,Colour\r\n3,"Näme, 3",red\r\n4,"Näme, 4",red\r\n')
  })

  it('is sent in one part where it fits without the columns that are not read', async () => {
    const content = text(1500)
    const bytes = new TextEncoder().encode(content).byteLength
    const parts = await split(content, { bytes: bytes - 4000, rows: 2000 })
    expect(parts).toHaveLength(1)
    expect(parts[0]!.text).toMatch(/^id,name\r\n1,"Näme, 1"\r\n/)
  })

  it('has no part that is larger than they are, and loses no row', async () => {
    const parts = await split(text(3000), { bytes: 16_000, rows: 50_000 })
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts)
      expect(new TextEncoder().encode(part.text).byteLength).toBeLessThanOrEqual(16_000)
    const ids = parts
      .flatMap((part) => part.text.trim().split('\r\n').slice(1))
      .map((line) => line.split(',')[0])
    expect(ids).toEqual(Array.from({ length: 3000 }, (_, i) => String(i + 1)))
  })

  it('has parts with names that tell them apart', () => {
    expect([partName('a.b.csv', 1, 3), partName('a', 0, 2), partName('a.csv', 0, 1)]).toEqual([
      'a.b (2 of 3).csv',
      'a (1 of 2)',
      'a.csv',
    ])
  })
})

describe('the results of several parts', () => {
  const result = (own: Partial<WriteResult>): WriteResult => ({
    type: 'medication',
    mode: 'upsert',
    dry_run: true,
    total: 2,
    inserted: 1,
    updated: 1,
    reactivated: 0,
    unchanged: 1,
    deactivated: 0,
    active_before: 10,
    active_after: 11,
    revision: 3,
    epoch: 'third',
    warnings: [{ field: 'Colour', msg: 'unknown column, ignored' }],
    ...own,
  })

  it('are one, of a dry run on the same catalog', () => {
    expect(mergeResults([result({}), result({ inserted: 2, active_after: 12 })])).toEqual(
      result({ total: 4, inserted: 3, updated: 2, unchanged: 2, active_after: 13 }),
    )
  })

  it('are one, of writes after one another', () => {
    const second = result({ active_before: 11, active_after: 12, revision: 4, epoch: 'fourth' })
    expect(mergeResults([result({}), second])).toMatchObject({
      active_before: 10,
      active_after: 12,
      revision: 4,
      epoch: 'fourth',
    })
  })

  it('show the first changes of each kind', () => {
    const change = (id: string) => ({ id, name: id })
    const diff = (ids: string[]) => ({
      inserted: ids.map(change),
      updated: [],
      reactivated: [],
      deactivated: [],
    })
    const many = Array.from({ length: 50 }, (_, i) => String(i))
    const merged = mergeResults([result({ diff: diff(['a']) }), result({ diff: diff(many) })])
    expect(merged.diff!.inserted.map(({ id }) => id)).toEqual(['a', ...many.slice(0, 49)])
  })
})
