import { describe, expect, it } from 'vitest'
import { mergeResults } from '#client/merge-results'
import { partName } from '#client/upload-file'
import type { WriteResult } from '#console/service/answers'

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
    emptied: { sku: 1 },
    warnings: [{ field: 'Colour', msg: 'unknown column, ignored' }],
    ...own,
  })

  it('are one, of a dry run on the same catalog', () => {
    expect(mergeResults([result({}), result({ inserted: 2, active_after: 12 })])).toEqual(
      result({ total: 4, inserted: 3, updated: 2, unchanged: 2, active_after: 13, emptied: { sku: 2 } }),
    )
  })

  it('count their warnings together, with the rows where they stand in the file', () => {
    const similar = (count: number, index: number) => ({
      warnings: [
        {
          field: 'id',
          msg: `${count}`,
          code: 'similar_id' as const,
          count,
          examples: [{ index, value: 'a' }],
        },
      ],
    })
    const { warnings } = mergeResults([result(similar(2, 5)), result(similar(3, 1))], [0, 50])
    expect(warnings).toMatchObject([{ count: 5, examples: [{ index: 5 }, { index: 51 }] }])
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

  it('belong to parts with names that tell them apart', () => {
    expect([partName('a.b.csv', 1, 3), partName('a', 0, 2), partName('a.csv', 0, 1)]).toEqual([
      'a.b (2 of 3).csv',
      'a (1 of 2)',
      'a.csv',
    ])
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
