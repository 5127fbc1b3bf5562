import { describe, expect, it } from 'vitest'
import { canGoBackTo, canUndo, countsText, detailText, kindText, titleText } from '#console/history/write-text'
import type { CatalogStatus, Write } from '#console/service/answers'
import { authorText } from '#console/wording'

const write = (fields: Partial<Write> = {}): Write => ({
  batch_id: '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11',
  type: 'symptom',
  ...{ format: 'csv', mode: 'upsert', file_name: 'a.csv', size_bytes: 20 },
  ...{ total: 1, inserted: 0, updated: 1, unchanged: 0, reactivated: 0, deactivated: 0, warnings: 0 },
  revision: 5,
  restored_revision: null,
  created_by: 'user:asha@clinic.example',
  created_at: '2026-11-21T12:00:00.000Z',
  ...fields,
})

const status = (revision: number, oldest: number): CatalogStatus => ({
  type: 'symptom',
  revision,
  epoch: 'of the revision',
  ...{ active_records: 1, total_records: 1, updated_at: '2026-11-21T12:00:00.000Z', search_enabled: false },
  oldest_restorable_revision: oldest,
  last_write: null,
  sync: { state: 'unwatched', since: null, due_at: null, last_success_at: null, last_upload: null },
})

describe('a write', () => {
  it('has a title for its kind: a file, a restore, or records from a user or an integration', () => {
    const json = { format: 'json', file_name: null } as const
    expect(kindText(write())).toBe('upload')
    expect(titleText(write())).toBe('a.csv')
    expect(titleText(write({ file_name: null }))).toBe('Upload without a file name')
    expect(titleText(write(json))).toBe('Edit in the console')
    expect(titleText(write({ ...json, created_by: 'dcs_client_a' }))).toBe('API import')
    const restore = { format: 'restore', mode: 'restore', file_name: null } as const
    expect(detailText(write({ ...restore, restored_revision: 3 }))).toBe('Back to revision 3')
    expect(detailText(write({ ...restore, restored_revision: 0 }))).toBe('Back to the empty catalog')
  })

  it('names the write that it has undone', () => {
    const undo = { format: 'restore', mode: 'restore' } as const
    expect(titleText(write(undo))).toBe('a.csv undone')
    expect(titleText(write({ ...undo, file_name: null }))).toBe('An earlier change undone')
    expect(detailText(write(undo))).toBe('Later changes stayed')
  })

  it('is counted in words, without zeros', () => {
    const counts = { inserted: 0, updated: 0, reactivated: 0, deactivated: 0, unchanged: 0 }
    expect(countsText({ ...counts, inserted: 2, updated: 44_326, deactivated: 1, unchanged: 44_325 })).toBe(
      '1 deactivated, 2 added, 1 updated, 44,325 unchanged',
    )
    expect(countsText(counts)).toBe('Nothing changed')
    expect(countsText({ ...counts, updated: 1, unchanged: 1 })).toBe('Nothing changed: 1 record was the same')
  })

  it('can be undone if the state before it is kept, even if other writes came after it', () => {
    expect(canUndo(write(), status(5, 4))).toBe(true)
    expect(canUndo(write(), status(5, 5))).toBe(false)
    expect(canUndo(write(), status(6, 0))).toBe(true)
    // It changed nothing.
    expect(canUndo(write({ unchanged: 1 }), status(5, 0))).toBe(false)
  })

  it('can be restored once another write came after it, as long as its state is kept', () => {
    expect(canGoBackTo(write(), status(6, 5))).toBe(true)
    expect(canGoBackTo(write(), status(5, 5))).toBe(false)
    expect(canGoBackTo(write(), status(7, 6))).toBe(false)
  })
})

it('the author of a write is a user by email address, or an integration by its name if that is known', () => {
  const programs = new Map([['dcs_client_a', 'Nightly sync']])
  expect(authorText('user:asha@clinic.example', programs)).toBe('asha@clinic.example')
  expect(authorText('dcs_client_a', programs)).toBe('Nightly sync')
  expect(authorText('dcs_client_b', programs)).toBe('Client dcs_client_b')
  expect(authorText('operator')).toBe('the operator')
})
