import * as z from 'zod'
import { KEPT_REFUSALS, REFUSAL_DAYS, SUMMARY_ERRORS } from '#shared/limits'
import { modeSchema, typeSchema } from '#worker/catalog/schemas'
import {
  atMost,
  countSchema,
  flag,
  listQuerySchema,
  oneOf,
  pageOf,
  required,
  text,
  timestampSchema,
} from '#worker/http/endpoint/values'
import { HELD_FOR, OUTCOMES } from '#worker/storage/schema/uploads'

export const uploadsQuerySchema = listQuerySchema.extend({
  outcome: oneOf(OUTCOMES).optional().meta({ description: 'Only uploads with this outcome.' }),
  previews: flag(
    'Set to false to exclude previews: uploads that a user sent as a dry run with `hold=true` and did not approve.',
  ).optional(),
})

/** Most characters of the message and of the file name in a report. */
const MAX_REPORT_CHARACTERS = 500

const reportTextSchema = text()
  .refine((value) => value.trim() !== '', { error: 'is required', abort: true, params: { code: 'required' } })
  .refine(...atMost(MAX_REPORT_CHARACTERS))
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'must be valid Unicode without U+0000',
    params: { code: 'malformed' },
  })

/** An integration's report of a nightly sync that ended before it sent a file. */
export const uploadReportSchema = z.strictObject({
  outcome: z.literal('not_sent', required('must be not_sent')),
  message: reportTextSchema.meta({
    description: 'Why no file was sent. It must not contain values of records.',
    example: 'The export is 31 hours old.',
  }),
  file_name: reportTextSchema.optional(),
})

const errorSummarySchema = z
  .strictObject({
    field: z.string().nullable(),
    code: z.string(),
    count: countSchema,
    first_index: z.int().nullable().meta({ description: '`index` of the first error of this kind.' }),
  })
  .meta({ id: 'UploadErrors', description: 'Errors of one field and code. No value is kept.' })

export const uploadSchema = z
  .strictObject({
    upload_id: z.uuid().meta({ description: 'ID of the upload. If it was written, this is its `batch_id`, too.' }),
    type: typeSchema,
    created_at: timestampSchema,
    created_by: z.string().meta({ description: 'Client ID or user.' }),
    by_program: z.boolean().meta({ description: 'Whether it was sent with client credentials.' }),
    mode: modeSchema,
    format: z
      .enum(['csv', 'json'])
      .nullable()
      .meta({ description: 'Format of the body; null if it could not be read.' }),
    file_name: z.string().nullable(),
    size_bytes: countSchema.nullable(),
    outcome: z.enum(OUTCOMES).meta({
      description:
        '`written`; `unchanged`: written, nothing differed; rejected: `invalid`, `shrink_guard`, `emptied_guard`, ' +
        '`stale`, `quota`, `failed` (an internal error); `not_sent`: a sync run reported that it sent no file; ' +
        '`held`: the upload is pending; later `approved`, `discarded` or `expired`.',
    }),
    message: z.string(),
    error_count: countSchema,
    errors: z.array(errorSummarySchema).meta({ description: `The ${SUMMARY_ERRORS} most frequent errors.` }),
    batch_id: z.uuid().nullable().meta({ description: 'ID of the write, if the upload was written.' }),
    revision: countSchema.meta({
      description: 'The revision that the write created. For a rejected upload, the revision at that time.',
    }),
    request_id: z.string().meta({ description: '`X-Request-Id` of the request.' }),
    held_until: timestampSchema.nullable().meta({ description: 'When the pending upload expires.' }),
    held_for: z.enum(HELD_FOR).nullable().meta({
      description: 'Why the upload is or was pending: a dry run with `hold=true`, or a guard.',
    }),
    keep_missing: z.boolean().nullable().meta({
      description:
        'Whether fields that the file does not send keep their values. Null if the upload was never pending.',
    }),
    repeated: countSchema.meta({
      description: 'How many times the same client repeated the same rejected upload, with no other upload in between.',
    }),
    last_at: timestampSchema.meta({ description: 'When it was last repeated.' }),
  })
  .meta({
    id: 'Upload',
    description:
      `A request to write records. Uploads that were not written are kept for ${REFUSAL_DAYS} days, the newest ` +
      `${KEPT_REFUSALS} of a catalog.`,
  })

export type Upload = z.output<typeof uploadSchema>

export const uploadPageSchema = pageOf(uploadSchema)
