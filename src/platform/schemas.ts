import * as z from 'zod'
import { createdAt, text } from '#workspace/schemas'

const MAX_NAME_LENGTH = 200

const name = text()
  .refine((value) => value.trim() !== '', { error: 'is required', abort: true, params: { code: 'required' } })
  .refine((value) => [...value].length <= MAX_NAME_LENGTH, {
    error: `must have at most ${MAX_NAME_LENGTH} characters`,
    params: { code: 'too_long' },
  })
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'must be valid Unicode without U+0000',
    params: { code: 'malformed' },
  })
  .meta({ description: 'For people.', minLength: 1, maxLength: MAX_NAME_LENGTH })

const workspaceId = text()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'must have 1 to 64 of the characters A-Z a-z 0-9 . _ - and start with a letter or digit',
  )
  .meta({ description: 'Identifier of the workspace; `provider` is the provider’s medical database.' })

export const newWorkspaceSchema = z.object({
  name,
  workspace_id: workspaceId.optional(),
})

export const newClientSchema = z.object({ name })

export const workspaceSchema = z.strictObject({
  workspace_id: z.string(),
  name: z.string(),
  created_at: createdAt,
})

export const clientSchema = z.strictObject({
  client_id: z.string(),
  name: z.string(),
  created_at: createdAt,
})

export const clientSecretSchema = z.strictObject({
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown this once.' }),
})

export const resealedSchema = z.strictObject({
  resealed: z.int().meta({ description: 'Secrets that this call sealed anew.' }),
  remaining: z.int().meta({ description: 'Secrets that are still sealed under a previous master key.' }),
})

const quantity = (description: string) =>
  z
    .int({ error: 'must be a whole number' })
    .nonnegative({ error: 'must not be negative' })
    .nullable()
    .optional()
    .meta({ description: `${description} Null restores the default.` })

export const newQuotaSchema = z.object({
  records: quantity('Records that the four catalogs may hold together.'),
  bytes: quantity('Bytes that the records of the four catalogs may take together.'),
})

export const quotaSchema = z
  .strictObject({
    records: z.int().meta({ description: 'Records that the four catalogs may hold together.' }),
    bytes: z.int().meta({ description: 'Bytes that their records may take together.' }),
    records_used: z.int().nonnegative(),
    bytes_used: z.int().nonnegative(),
  })
  .meta({
    id: 'Quota',
    description: 'What the catalogs of a workspace may hold together, and what they hold.',
  })

export type NewQuota = z.output<typeof newQuotaSchema>
export type Quota = z.output<typeof quotaSchema>
export type NewWorkspace = z.output<typeof newWorkspaceSchema>
export type Workspace = z.output<typeof workspaceSchema>
export type Client = z.output<typeof clientSchema>
export type ClientSecret = z.output<typeof clientSecretSchema>
export type Resealed = z.output<typeof resealedSchema>
