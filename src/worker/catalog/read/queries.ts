import * as z from 'zod'
import { DRUG_FORMS } from '#shared/records/drug-forms'
import { KINDS } from '#shared/records/types/lab-test'
import { keysOf } from '#shared/text/keys-of'
import { flagSchema, formatSchema, refuseField, safeSchema } from '#worker/catalog/parameters'
import {
  flag,
  freeTextSchema,
  limitSchema,
  offsetSchema,
  oneOf,
  timeSchema,
  typeParameterSchema,
} from '#worker/http/endpoint/values'

/** The query parameters of the dataset endpoints (docs/contract.md#reading, docs/contract.md#writing). */

/** Orders of a list; `-` is the other way round. `match` needs `q`. */
const SORTS = ['updated_at', '-updated_at', 'name', '-name', 'id', '-id', 'match'] as const

const MATCHES = ['names', 'all'] as const

const formIdError = { error: 'must be the form_id of an accepted dosage form (see /admin/datasets/v1/drug-forms/)' }

/** The type of record that has each of the filters. */
const FILTERED_TYPES = { form_id: 'medication', linked: 'medication', kind: 'lab_test' } as const

const fieldFilters = {
  form_id: z
    .string(formIdError)
    .refine((id) => DRUG_FORMS.some(({ form_id }) => form_id === id), formIdError)
    .optional()
    .meta({ description: 'Medications only: records of this accepted dosage form.' }),
  linked: flag('Medications only: records that are linked to a dosage form (`true`) or are not (`false`).').optional(),
  kind: oneOf(KINDS).optional().meta({ description: 'Lab tests only: records of this kind.' }),
} satisfies Record<keyof typeof FILTERED_TYPES, z.ZodType>

export const recordsQuerySchema = z
  .object({
    type: typeParameterSchema,
    q: freeTextSchema.meta({
      description:
        'Words that must all be in the name, display name or aliases; with `match=all` also elsewhere in ' +
        'the record.',
    }),
    match: z
      .enum(MATCHES, { error: `must be ${MATCHES.join(' or ')}` })
      .optional()
      .meta({
        description:
          'Where the words of `q` are searched. `names`, the default: anywhere in the name, display name or ' +
          'aliases. `all`: a word may also match as in partner search, by generic names, strength and form. The ' +
          'whole of `q` may also match the record ID or a code.',
      }),
    show_inactive: flagSchema.meta({ description: 'Include inactive records.' }),
    active: flag('Only active records (`true`), or only inactive ones (`false`). Not with `show_inactive`.').optional(),
    ...fieldFilters,
    sort: oneOf(SORTS)
      .optional()
      .meta({
        description:
          'Sort order; `-` reverses it. By default, a list is newest first (`-updated_at`), and a CSV file has the ' +
          'records in the order in which they were first written. Names are sorted in normalized form. `match`: the ' +
          'best match of `q` first; without `q`, the newest first.',
      }),
    limit: limitSchema,
    offset: offsetSchema,
    updated_since: timeSchema.optional().meta({
      description:
        'A time (ISO 8601). Only records that changed later. Deactivated records are included only with ' +
        '`show_inactive=1`.',
      format: 'date-time',
    }),
    format: formatSchema.meta({
      description: '`csv` returns all matching records as a file. `Accept: text/csv` does the same.',
    }),
    safe: safeSchema,
  })
  .superRefine((query, context) => {
    for (const name of keysOf(FILTERED_TYPES)) {
      const type = FILTERED_TYPES[name]
      if (query[name] !== undefined && query.type !== type) refuseField(context, name, `needs type=${type}`)
    }
    if (query.active !== undefined && query.show_inactive !== undefined) {
      refuseField(context, 'active', 'cannot be sent with show_inactive')
    }
  })
