import * as z from 'zod'
import { SETTABLE_STATES, WORKSPACE_STATES } from '#shared/access/caller'
import { atMost, countSchema, nameTextSchema as name, oneOf, text, timestampSchema } from '#worker/http/endpoint/values'

const WORKSPACE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/

const workspaceIdMemberSchema = text()
  .refine((id) => WORKSPACE_ID.test(id), {
    error: 'must have 1 to 64 of the letters A to Z, digits and . _ - and start with a letter or digit',
    params: { code: 'malformed', min: 1, max: 64 },
  })
  .meta({
    description: 'Identifier of the workspace; `provider` is the provider’s medical database.',
    pattern: WORKSPACE_ID.source,
  })

const MAX_REASON_LENGTH = 500

const databaseNameSchema = text().refine((value) => value.trim() !== '', { error: 'is required' })

export const newWorkspaceSchema = z.strictObject({
  name,
  workspace_id: workspaceIdMemberSchema.optional(),
  database: databaseNameSchema
    .optional()
    .meta({ description: 'Database for its catalogs; by default the one with the fewest workspaces.' }),
})

export const newStateSchema = z.strictObject({
  state: oneOf(SETTABLE_STATES),
  reason: text()
    .refine(...atMost(MAX_REASON_LENGTH, `must have at most ${MAX_REASON_LENGTH} characters`))
    .optional()
    .meta({ description: 'The reason for the state, for the operator.', example: 'contract ended' }),
})

const stateMembers = {
  state: oneOf(WORKSPACE_STATES),
  reason: z.string().nullable().meta({ description: "The operator's reason for the state." }),
}

export const workspaceStateSchema = z.strictObject({ workspace_id: z.string(), ...stateMembers })

const remainsSchema = z
  .strictObject({
    records: countSchema,
    versions: countSchema.meta({ description: 'Earlier versions of records.' }),
    uploads: countSchema.meta({ description: 'Entries of the list of uploads, including pending uploads.' }),
    documents: countSchema,
    registrations: countSchema,
    webhooks: countSchema,
    other_rows: countSchema.meta({ description: 'Rows of other kinds.' }),
    objects: countSchema.meta({ description: 'Objects of the bucket; 1,000 means 1,000 or more.' }),
    keys_and_members: countSchema,
  })
  .meta({ id: 'WorkspaceRemains', description: 'What is left of a workspace that is being erased.' })

export const erasureSchema = z.union([
  z.strictObject({ erased: z.literal(true) }),
  z.strictObject({ left: remainsSchema }),
])

export const databaseSchema = z.strictObject({
  database: z.string().meta({ description: 'Name of the D1 binding.' }),
  workspaces: countSchema,
  records: countSchema.meta({ description: 'Number of records of these workspaces, including inactive records.' }),
  size_bytes: countSchema.meta({ description: 'Size of the database. D1 allows 10 GB.' }),
  open: z.boolean().meta({ description: 'Whether new workspaces are created in it.' }),
})

export const checkSchema = z.strictObject({
  ok: z.boolean(),
  problem: z.string().nullable().meta({ description: 'What is wrong; null if nothing is.' }),
  ms: countSchema.meta({ description: 'Response time in milliseconds.' }),
})

export const healthSchema = z
  .strictObject({
    ok: z.boolean().meta({ description: 'Whether all components are healthy.' }),
    release: z.string(),
    time: timestampSchema,
    databases: z.array(
      checkSchema.extend({
        database: z.string().meta({ description: 'Name of the D1 binding.' }),
        size_bytes: countSchema.nullable(),
        days_left: countSchema.nullable().meta({
          description: 'Days until it is full if it grows as in the last weeks; null if that is not known.',
        }),
        clock_ms: z
          .int()
          .nullable()
          .meta({ description: "How far its clock is ahead of the Worker's, in " + 'milliseconds.' }),
        last_run: timestampSchema
          .nullable()
          .meta({ description: 'When the scheduled run last processed this database.' }),
      }),
    ),
    scheduled_run: checkSchema.meta({
      description: 'Whether the scheduled run has processed every database recently.',
    }),
    bucket: checkSchema,
    replay_filter: checkSchema,
    replay_guard: checkSchema,
    master_key: checkSchema.meta({ description: 'Whether it can decrypt the stored secrets.' }),
    login_provider: checkSchema.nullable().meta({ description: 'The login provider; null if none is configured.' }),
  })
  .meta({ id: 'Health', description: 'The health of every component of the service.' })

const CLIENT_NAME = { description: 'Name of the client, for people.', example: 'Hospital information system' }

export const newClientSchema = z.object({ name: name.meta(CLIENT_NAME) })

export const workspaceSchema = z.strictObject({
  workspace_id: z.string(),
  name: z.string(),
  database: z.string().meta({ description: 'Name of the D1 binding of the database with its catalogs.' }),
  created_at: timestampSchema,
})

export const listedWorkspaceSchema = workspaceSchema.extend({
  ...stateMembers,
  erased_at: timestampSchema.nullable(),
})

export const clientSchema = z.strictObject({
  client_id: z.string(),
  name: z.string().meta(CLIENT_NAME),
  created_at: timestampSchema,
})

export const clientSecretSchema = z.strictObject({
  client_id: z.string(),
  client_secret: z.string().meta({ description: 'Shown only once.' }),
})

export const resealResultSchema = z.strictObject({
  resealed: z.int().meta({ description: 'Number of secrets that this request re-encrypted.' }),
  remaining: z.int().meta({ description: 'Number of secrets that are still encrypted with a previous master key.' }),
})

/** The quotas that the operator sets, each with a schema. */
const quotaMembers = <T extends z.ZodType>(member: (description: string) => T) => ({
  records: member('Records that the four catalogs may hold together.'),
  bytes: member('Bytes that the records of the four catalogs may take together.'),
  documents: member('Documents that may be stored.'),
  document_bytes: member('Bytes that these documents may take together.'),
  registrations: member('Registrations that may be pending at the same time.'),
})

const newQuotaMember = (description: string) =>
  z
    .int({ error: 'must be a whole number or null' })
    .nonnegative({ error: 'must not be negative' })
    .nullable()
    .optional()
    .meta({ description: `${description} Null restores the default.` })

export const newQuotaSchema = z.strictObject(quotaMembers(newQuotaMember)).meta({ example: { records: 600_000 } })

export const quotaSchema = z
  .strictObject({
    ...quotaMembers((description) => z.int().meta({ description })),
    records_used: countSchema,
    bytes_used: countSchema,
    history_bytes_used: countSchema.meta({
      description: 'Bytes of earlier versions. The oldest are deleted if they take more than `bytes`.',
    }),
    documents_used: countSchema,
    document_bytes_used: countSchema,
    registrations_used: countSchema,
  })
  .meta({ id: 'Quota', description: 'The quota of a workspace, and how much of it is used.' })

export type NewQuota = z.output<typeof newQuotaSchema>
export type Quota = z.output<typeof quotaSchema>
export type NewWorkspace = z.output<typeof newWorkspaceSchema>
export type NewState = z.output<typeof newStateSchema>
export type WorkspaceRemains = z.output<typeof remainsSchema>
export type Workspace = z.output<typeof workspaceSchema>
export type Client = z.output<typeof clientSchema>
export type ClientSecret = z.output<typeof clientSecretSchema>
