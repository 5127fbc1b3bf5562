import { describe, expect, it } from 'vitest'
import type { CatalogStatus } from '#console/service/answers'
import { nextStepOf } from '#console/start/next-step'

const status = (type: CatalogStatus['type'], active_records = 0, search_enabled = false): CatalogStatus => ({
  type,
  revision: active_records,
  epoch: '0',
  active_records,
  total_records: active_records,
  updated_at: null,
  search_enabled,
  oldest_restorable_revision: 0,
  last_write: null,
  sync: { state: 'unwatched', since: null, due_at: null, last_success_at: null, last_upload: null },
})

describe('the next step of a workspace', () => {
  it('is the first upload if all catalogs are empty', () => {
    const empty = [status('medication'), status('symptom')]
    expect(nextStepOf(empty, true)).toEqual({ is: 'upload', type: 'medication' })
    expect(nextStepOf(empty, false)).toEqual({ is: 'ask' })
  })

  it('is partner search on a catalog that is filled', () => {
    const filled = [status('medication'), status('symptom', 2)]
    expect(nextStepOf(filled, true)).toEqual({ is: 'search', type: 'symptom' })
    expect(nextStepOf(filled, false)).toBeUndefined()
  })

  it('is none once a catalog is searched', () => {
    expect(nextStepOf([status('medication', 1), status('symptom', 2, true)], true)).toBeUndefined()
  })
})
