import * as z from 'zod'
import { keysOf } from '#shared/text/keys-of'

/** Every code of a field error and its meaning, which never changes (docs/contract.md#field-error-codes). */
export const FIELD_ERROR_CODES = {
  required: 'A required value is missing or empty, or a CSV file has no column for a required field.',
  conditional: 'A value is required, or must not be sent, because of another value.',
  wrong_type: 'The value has another JSON type than the field, or the CSV cell is not a value of the field.',
  too_long: 'The text has more characters than the field accepts.',
  too_many: 'There are more items, rows, cells or records than are allowed.',
  too_deep: 'The value is nested more deeply than is allowed.',
  too_large: 'The record is larger than one record may be.',
  cut_off: 'The last row of a CSV file has fewer cells than the others and no line break: the file looks truncated.',
  not_allowed: 'The value is of the right type, but not one of those that are allowed.',
  malformed:
    'The text cannot be read: it has U+0000, half a surrogate pair, bytes that are not valid in its ' +
    'encoding, a quote that never closes or closes too early, or a line break in an ID or a name of a CSV ' +
    'file.',
  duplicate_id: 'The same ID occurs earlier in the request.',
  reserved_id: 'The ID cannot be part of a path: it is the name of an endpoint, `.` or `..`.',
  ambiguous_column: 'It is not clear which column of the CSV file is meant, or which field a column is.',
  wrong_file: 'The file is empty, is not a CSV file, or is UTF-16 without a byte order mark.',
  repeated_header: 'The row of a CSV file repeats the header row.',
  ruled_line: 'The row of a CSV file is a separator line of `-`, `=`, `_`, `+` or `*`, not a record.',
  not_found: 'The value names something that does not exist.',
  start_again: "The catalog does not know the state of the caller's copy. Empty the copy and start again.",
  unknown_parameter: 'The endpoint does not have this query parameter, or its body does not have this property.',
  repeated_parameter:
    'A parameter, or a property of a small JSON body, is sent more than once, or in two places with different values.',
} as const

export type FieldErrorCode = keyof typeof FIELD_ERROR_CODES

const numberMember = (meaning: string) => z.int().optional().describe(meaning)

/** The numbers that the message of a field error may hold (docs/contract.md#numbers-of-a-field-error). */
export const errorNumbersSchema = z.object({
  limit: numberMember('The most that is allowed: characters, items, cells, rows, levels or bytes.'),
  min: numberMember('The smallest number that is allowed.'),
  max: numberMember('The largest number that is allowed.'),
  item: numberMember('Place of the item in its list, from 1.'),
  row: numberMember('Row below the header row of a CSV file, from 1, including empty rows; 0 is the header row.'),
  column: numberMember('Column of a CSV file, from 1.'),
  byte: numberMember('Position of a byte in the file, from 0.'),
  first_index: numberMember('`index` of the first record with the ID.'),
})

/** Error bodies (docs/contract.md#errors) as schemas; `errors/errors.ts` makes them. */
export const fieldErrorSchema = z
  .object({
    index: z
      .int()
      .nullable()
      .describe(
        'JSON: 0-based position of the failing record. CSV: 1-based data row, the header not counted. ' +
          'null for an error of the request or the file as a whole.',
      ),
    field: z.string().nullable().describe('Name of the failing field.'),
    code: z.enum(keysOf(FIELD_ERROR_CODES)).describe(
      Object.entries(FIELD_ERROR_CODES)
        .map(([code, meaning]) => `\`${code}\`: ${meaning}`)
        .join('\n'),
    ),
    msg: z.string().describe('Reason, for people.'),
    value: z
      .unknown()
      .describe('The rejected value, with its JSON type; truncated after 200 characters. Null if it was missing.'),
    nearest: z
      .array(z.string())
      .optional()
      .describe('For a missing required column: the unrecognized headers that may be meant.'),
    ...errorNumbersSchema.shape,
  })
  .meta({ id: 'FieldError', description: 'One failing field of one record, row or request.' })

/** Properties of a guard's error if the upload is pending. */
const heldMembers = {
  upload_id: z.uuid().optional().describe('The ID of the pending upload, which can be approved later.'),
  held_until: z.iso.datetime({ precision: 3 }).optional().describe('When the pending upload expires.'),
}

export const shrinkGuardErrorSchema = z
  .object({
    code: z.literal('shrink_guard'),
    active_before: z.int().describe('Active records before the request.'),
    would_deactivate: z.int().describe('Active records that the request would deactivate.'),
    ...heldMembers,
  })
  .meta({
    id: 'ShrinkGuardError',
    description: 'A reconcile or a restore would deactivate more active records than the shrink guard allows.',
  })

export const emptiedGuardErrorSchema = z
  .object({
    code: z.literal('emptied_guard'),
    field: z.string().describe('Name of the field.'),
    emptied: z
      .int()
      .describe('Records that would lose their value in the field, not counting records that would be deactivated.'),
    max_emptied: z.int().describe('How many such records are allowed.'),
    ...heldMembers,
  })
  .meta({
    id: 'EmptiedGuardError',
    description: 'A write would clear a field in more records than `max_emptied` allows.',
  })

export const quotaErrorSchema = z
  .object({
    code: z.literal('quota'),
    quota: z
      .enum([
        ...(['records', 'bytes', 'history', 'documents', 'document_bytes', 'registrations'] as const),
        ...(['api_keys', 'partner_credentials', 'encryption_keys', 'members', 'webhooks', 'clients'] as const),
      ])
      .describe(
        'Which quota is exceeded. `bytes`: bytes of records. `history`: bytes of earlier versions, or of those that ' +
          'were added recently; the response is then 429. `registrations`: pending registrations. Keys, credentials, ' +
          'members and clients count until they are revoked.',
      ),
    limit: z.int().describe('What the workspace may have, in all of its catalogs together.'),
    used: z.int().describe('What it has now.'),
    needed: z.int().describe('What it would have after the request; for `history`, what it has.'),
  })
  .meta({ id: 'QuotaError', description: 'The request would exceed a quota of the workspace.' })

export const unknownOutcomeSchema = z
  .object({
    code: z.literal('unknown_outcome'),
    batch_id: z.uuid().optional().describe('ID of the write. If the write completed, it is in the list of writes.'),
    document_id: z.uuid().optional().describe('ID of the document. If the upload completed, the document can be read.'),
  })
  .meta({
    id: 'UnknownOutcome',
    description: 'A write, or an upload of a document, may or may not have completed. Contains one of the two IDs.',
  })

export const errorResponseSchema = z
  .object({
    success: z.literal(false),
    message: z.string().describe('Human-readable reason.'),
    errors: z
      .array(
        z.union([
          fieldErrorSchema,
          shrinkGuardErrorSchema,
          emptiedGuardErrorSchema,
          quotaErrorSchema,
          unknownOutcomeSchema,
        ]),
      )
      .optional()
      .describe(
        'Present when validation failed, when a guard or a quota blocked a write, or when a write may or may not ' +
          'have completed.',
      ),
    error: z.string().optional().describe('OAuth 2.0 error code (RFC 6749, section 5.2); on the token endpoint only.'),
  })
  .meta({ id: 'ErrorResponse', description: 'The body of every error.' })
