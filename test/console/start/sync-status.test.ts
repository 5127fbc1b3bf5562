import { describe, expect, it } from 'vitest'
import type { CatalogStatus, Upload } from '#console/service/answers'
import { syncStatusOf } from '#console/start/sync-status'

type Sync = CatalogStatus['sync']

/** A time of day in the reader's time zone, whichever that is. */
const at = (hour: number, minute = 0, day = 22): string => new Date(2026, 10, day, hour, minute).toISOString()

const NOW = new Date(2026, 10, 22, 8)

const upload = (given: Partial<Upload>): Upload => ({
  upload_id: '00000000-0000-4000-8000-000000000000',
  type: 'medication',
  created_at: at(2, 14),
  created_by: 'dcs_client_1',
  by_program: true,
  ...{ mode: 'reconcile', format: 'csv', file_name: 'formulary.csv', size_bytes: 100 },
  ...{ outcome: 'written', message: 'Written.', error_count: 0, errors: [], batch_id: null, revision: 1 },
  ...{ request_id: 'a-request', held_until: null, held_for: null, keep_missing: null, repeated: 0 },
  last_at: at(2, 14),
  ...given,
})

const sync = (given: Partial<Sync>): Sync => ({
  state: 'on_time',
  since: at(2, 14),
  due_at: at(3, 14, 23),
  last_success_at: at(2, 14),
  last_upload: upload({}),
  ...given,
})

const textOf = (given: Partial<Sync>) => syncStatusOf(sync(given), NOW)?.text

const MISSING = { field: 'unit', code: 'required', count: 41, first_index: 3 }

const HELD = upload({
  outcome: 'held',
  held_for: 'shrink_guard',
  message: 'The reconcile would deactivate 12400 of 20000 active records, more than half. Nothing was written.',
  error_count: 1,
  errors: [{ field: null, code: 'shrink_guard', count: 1, first_index: null }],
})

describe('the text for a nightly sync', () => {
  it('says that it was on time, with the time today and the date on another day', () => {
    expect(syncStatusOf(sync({}), NOW)).toEqual({ is: 'good', text: 'On time, 02:14' })
    expect(textOf({ last_success_at: at(2, 14, 21) })).toBe('On time, 21 Nov 2026, 02:14')
    expect(textOf({ last_success_at: null, last_upload: null })).toBe('Nothing is late')
  })

  it('says that it was rejected, with the most frequent error and the number of others', () => {
    const refused = { outcome: 'invalid' as const, errors: [MISSING], error_count: 41 }
    const state = 'refused'
    expect(textOf({ state, last_upload: upload(refused) })).toBe('Rejected: unit is missing in 41 rows')
    expect(textOf({ state, last_upload: upload({ ...refused, error_count: 42, format: 'json' }) })).toBe(
      'Rejected: unit is missing in 41 records, and 1 more error',
    )
    const ofFile = [{ ...MISSING, first_index: null }]
    const message = 'The file is not valid: unit is no column. Nothing was written.'
    const last_upload = upload({ ...refused, errors: ofFile, message })
    expect(textOf({ state, last_upload })).toBe('Rejected: The file is not valid: unit is no column')
  })

  it('mentions a pending upload, and may also say that the sync is late', () => {
    const title = 'Awaiting approval: it would deactivate 12,400 of 20,000'
    expect(textOf({ state: 'refused', last_upload: HELD })).toBe(title)
    const late = { state: 'late', since: at(6), last_upload: HELD } as const
    expect(textOf(late)).toBe(`${title}. Late since 06:00`)
  })

  it('says that it is late, with the rejection as the reason', () => {
    const late = { state: 'late', since: at(6) } as const
    expect(textOf(late)).toBe('Late since 06:00')
    expect(textOf({ ...late, last_success_at: null, last_upload: null })).toBe('Late since 06:00')
    const last_upload = upload({ outcome: 'stale', message: 'The catalog has changed. Nothing was written.' })
    expect(textOf({ ...late, last_upload })).toBe('Late since 06:00. Rejected: The catalog has changed')
  })

  it('mentions a catalog without monitoring only if it needs attention', () => {
    const unwatched = { state: 'unwatched', since: null, due_at: null } as const
    expect(syncStatusOf(sync({ ...unwatched, last_success_at: null, last_upload: null }), NOW)).toBeUndefined()
    expect(textOf(unwatched)).toBeUndefined()
    expect(textOf({ ...unwatched, last_upload: HELD })).toBe('Awaiting approval: it would deactivate 12,400 of 20,000')
  })
})
