import { BATCH, CSV_CHANGES, EXAMPLE_COUNTS } from './catalog'
import { answered, CREATED_AT, type Example, pageWith } from './example'

const UPLOAD_ID = '6b1f1c55-58a4-4f6c-9a3a-0d0f1f2a7c21'

const uploadPath = { type: 'medication' }
const oneUpload = { ...uploadPath, upload_id: UPLOAD_ID }

const HELD = {
  upload_id: UPLOAD_ID,
  type: 'medication',
  created_at: CREATED_AT,
  created_by: BATCH.created_by,
  by_program: true,
  mode: 'reconcile',
  format: 'csv',
  file_name: BATCH.file_name,
  size_bytes: BATCH.size_bytes,
  outcome: 'held',
  message:
    'The reconcile would deactivate 12400 of 20000 active records, more than half. Nothing was written; to ' +
    'write it all the same, send confirm_shrink=true.',
  error_count: 1,
  errors: [{ field: null, code: 'shrink_guard', count: 1, first_index: null }],
  batch_id: null,
  revision: 7,
  request_id: 'nightly-2026-11-20',
  held_until: '2026-11-27T18:00:00.000Z',
  held_for: 'shrink_guard',
  keep_missing: false,
  repeated: 0,
  last_at: CREATED_AT,
}

export const uploadExamples: Readonly<Record<string, Example>> = {
  listUploads: { path: uploadPath, query: { limit: '100' }, ...answered('Uploads.', pageWith(HELD)) },
  getUpload: { path: oneUpload, ...answered('Upload.', HELD) },
  writeUpload: {
    path: oneUpload,
    query: { confirm_shrink: 'true' },
    ...answered(
      '1 record written: 1 inserted',
      {
        ...uploadPath,
        mode: 'reconcile',
        dry_run: false,
        ...EXAMPLE_COUNTS,
        active_before: 0,
        active_after: 1,
        revision: 8,
        epoch: UPLOAD_ID,
        batch_id: UPLOAD_ID,
        warnings: [],
      },
      CSV_CHANGES,
    ),
  },
  getUploadContent: { path: oneUpload, answer: { 'application/json': [] } },
  discardUpload: { path: oneUpload, ...answered('File discarded', { deleted: true }) },
}
