import { BATCH, CSV_CHANGES, EXAMPLE_COUNTS, MEDICATION, RETURNED_MEDICATION } from './catalog'
import { answered, CREATED_AT, type Example, pageWith, sending } from './example'

const path = { type: 'medication' }

const { batch_id: BATCH_ID } = BATCH

const WRITE = { ...BATCH, format: 'csv', restored_revision: null }

const EXAMPLE_CATALOG_STATUS = {
  type: 'medication',
  revision: 1,
  epoch: BATCH_ID,
  active_records: 1,
  total_records: 1,
  updated_at: CREATED_AT,
  search_enabled: true,
  oldest_restorable_revision: 0,
  last_write: WRITE,
  sync: {
    state: 'late',
    since: '2026-11-20T18:00:00.000Z',
    due_at: '2026-11-20T18:00:00.000Z',
    last_success_at: null,
    last_upload: null,
  },
}

const EXAMPLE_WATCH = { every_hours: 24, grace_hours: 1, set_at: CREATED_AT, set_by: BATCH.created_by }

const FIELDS = { strength: ['250 mg', '500 mg'] }

const CHANGED = { id: MEDICATION.medication_id, name: MEDICATION.name, fields: FIELDS }

const WOULD_BE_RESTORED = answered(
  '1 record would be restored: 1 updated',
  {
    ...path,
    mode: 'restore',
    dry_run: true,
    ...EXAMPLE_COUNTS,
    inserted: 0,
    updated: 1,
    active_before: 1,
    active_after: 1,
    revision: 2,
    epoch: BATCH_ID,
    warnings: [],
  },
  CSV_CHANGES,
)

export const historyExamples: Readonly<Record<string, Example>> = {
  listCatalogStatuses: answered('Catalogs.', { items: [EXAMPLE_CATALOG_STATUS] }),
  getCatalogStatus: { path, ...answered('Catalog.', EXAMPLE_CATALOG_STATUS) },
  getWatch: { path, ...answered('The Medication catalog is watched', EXAMPLE_WATCH) },
  setWatch: { path, ...sending({ every_hours: 24 }), ...answered('The catalog is watched', EXAMPLE_WATCH) },
  deleteWatch: { path, ...answered('The catalog is not watched', { deleted: true }) },
  listWrites: {
    path,
    query: { limit: '100' },
    ...answered('Writes.', pageWith(WRITE)),
  },
  getWrite: { path: { ...path, batch_id: BATCH_ID }, ...answered('Write.', WRITE) },
  listWriteChanges: {
    path: { ...path, batch_id: BATCH_ID },
    query: { limit: '100' },
    ...answered('Changes.', pageWith({ change: 'updated', ...CHANGED }), CSV_CHANGES),
  },
  compareRevisions: {
    path,
    query: { from: '0', to: '1', limit: '100' },
    ...answered(
      'Revision 1 compared with revision 0',
      {
        from: 0,
        to: 1,
        inserted: 0,
        updated: 1,
        reactivated: 0,
        deactivated: 0,
        ...pageWith({ change: 'updated', ...CHANGED }),
      },
      CSV_CHANGES,
    ),
  },
  listChanges: {
    path,
    query: { since_revision: '0', limit: '1000' },
    ...answered('Changes.', {
      items: [{ revision: 1, change: 'inserted', record: RETURNED_MEDICATION }],
      revision: 1,
      epoch: BATCH_ID,
      cursor: null,
      has_more: false,
    }),
  },
  listRecordHistory: {
    path: { ...path, entity_id: MEDICATION.medication_id },
    query: { limit: '100' },
    ...answered(
      'History.',
      pageWith({
        revision: 2,
        changed_at: CREATED_AT,
        changed_by: BATCH.created_by,
        batch_id: BATCH_ID,
        change: 'updated',
        record: RETURNED_MEDICATION,
        fields: FIELDS,
      }),
    ),
  },
  restoreCatalog: { path, query: { revision: '1', dry_run: 'true' }, ...WOULD_BE_RESTORED },
  undoWrite: {
    path: { ...path, batch_id: BATCH_ID },
    query: { dry_run: 'true' },
    ...WOULD_BE_RESTORED,
  },
}
