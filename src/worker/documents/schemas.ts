import * as z from 'zod'
import { MAX_DOCUMENT_TASKS } from '#shared/limits'
import { atMost, countSchema, timestampSchema } from '#worker/http/endpoint/values'
import { CONTENT_TYPES } from './content-type'

/** Bodies, queries and responses of the document endpoints (docs/contract.md#documents). */

const MAX_DOCUMENT_TYPE_LENGTH = 64

const TASK = /^[A-Za-z0-9_]{1,32}$/

const taskSchema = z
  .string()
  .refine((text) => TASK.test(text), {
    error: 'must have 1 to 32 characters: letters A to Z, digits and _',
    params: { code: 'malformed', min: 1, max: 32 },
  })
  .transform((text) => text.toLowerCase())

export const uploadQuerySchema = z.object({
  // A parameter that is sent once arrives as a text, a repeated one as a list.
  task: z
    .preprocess(
      (value) => (typeof value === 'string' ? [value] : value),
      z.array(taskSchema).max(MAX_DOCUMENT_TASKS, { error: `may be sent ${MAX_DOCUMENT_TASKS} times at most` }),
    )
    .default([])
    .meta({
      description: `What to do with the document; repeatable, up to ${MAX_DOCUMENT_TASKS} times. Stored in lower case.`,
      type: 'array',
      maxItems: MAX_DOCUMENT_TASKS,
      items: { type: 'string', pattern: TASK.source },
    }),
  dt: z
    .string({ error: 'must be a string' })
    .refine(...atMost(MAX_DOCUMENT_TYPE_LENGTH, `must have at most ${MAX_DOCUMENT_TYPE_LENGTH} characters`))
    .optional()
    .meta({ description: `Document type, up to ${MAX_DOCUMENT_TYPE_LENGTH} characters.` }),
})

/** `task` or `dt` if a name is a variant of it. Tasks may have their own parameters, but no misspelled `task`. */
export function meantParameter(name: string): 'task' | 'dt' | undefined {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  if (['task', 'tasks'].includes(letters)) return 'task'
  return ['dt', 'doctype', 'documenttype'].includes(letters) ? 'dt' : undefined
}

export const documentSchema = z
  .strictObject({
    document_id: z.uuid(),
    size_bytes: countSchema,
    content_type: z.enum(CONTENT_TYPES).meta({ description: 'Content type, detected from the bytes.' }),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .meta({ description: 'SHA-256 of the bytes, in hexadecimal.' }),
    tasks: z.array(z.string()),
    document_type: z.string().nullable().meta({ description: 'Parameter `dt` of the upload.' }),
    file_name: z.string().nullable().meta({ description: 'File name as it was sent; null for an encrypted upload.' }),
    created_at: timestampSchema,
  })
  .meta({ id: 'Document', description: 'The metadata of a stored document.' })

export type DocumentMetadata = z.output<typeof documentSchema>
