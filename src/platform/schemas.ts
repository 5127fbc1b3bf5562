import * as z from 'zod'

const MAX_NAME_LENGTH = 200

const text = () =>
  z.string({ error: (issue) => (issue.input === undefined ? 'is required' : 'must be a string') })

const name = text()
  .refine((value) => value.trim() !== '', { error: 'is required', abort: true })
  .refine((value) => [...value].length <= MAX_NAME_LENGTH, {
    error: `must have at most ${MAX_NAME_LENGTH} characters`,
  })
  .refine((value) => !value.includes('\0') && value.isWellFormed(), {
    error: 'must be valid Unicode without U+0000',
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

export const newApiKeySchema = z.object({
  client_id: text().min(1, 'is required').meta({ description: 'The client that may use the key.' }),
})

const createdAt = z.iso.datetime({ precision: 3 })

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

export const apiKeySchema = z.strictObject({
  api_key_id: z.string(),
  client_id: z.string(),
  created_at: createdAt,
})

export const clientSecretSchema = z.strictObject({
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown this once.' }),
})

export const apiKeySecretSchema = z.strictObject({
  api_key_id: z.string(),
  api_key: z.string().meta({ description: 'Shown this once.' }),
})

export const revokedSchema = z.strictObject({ revoked: z.literal(true) })

export const listOf = <T extends z.ZodType>(item: T) => z.strictObject({ items: z.array(item) })

export type NewWorkspace = z.output<typeof newWorkspaceSchema>
export type Workspace = z.output<typeof workspaceSchema>
export type Client = z.output<typeof clientSchema>
export type ApiKey = z.output<typeof apiKeySchema>
export type ClientSecret = z.output<typeof clientSecretSchema>
export type ApiKeySecret = z.output<typeof apiKeySecretSchema>
