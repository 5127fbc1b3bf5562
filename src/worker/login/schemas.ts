import * as z from 'zod'
import { ROLES } from '#shared/access/caller'
import { tokenResponseSchema } from '#worker/auth/schemas'
import { text } from '#worker/http/endpoint/values'

const DEFAULT_RETURN_TO = '/console/'

export const loginQuerySchema = z.object({
  return_to: text()
    .default(DEFAULT_RETURN_TO)
    .meta({
      description:
        'Where the browser is sent after the login: a path of this service or, for a command-line client, a ' +
        'loopback address (`http://127.0.0.1:PORT/...`, `http://[::1]:PORT/...`), which gets a one-time `code`.',
    }),
  code_challenge: text()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must be the base64url of a SHA-256 digest')
    .optional()
    .meta({
      description: 'With a loopback address: base64url of the SHA-256 of the `code_verifier` (RFC 7636, method S256).',
    }),
  code_challenge_method: z
    .literal('S256', { error: 'must be S256' })
    .optional()
    .meta({ description: '`S256`, which is also the default.' }),
  prompt: z
    .literal('select_account', { error: 'must be select_account' })
    .optional()
    .meta({
      description:
        'The provider asks who logs in, even if someone is already logged in there (OpenID Connect Core 1.0, ' +
        'section 3.1.2.1).',
    }),
})

export const callbackQuerySchema = z.object({
  code: text().optional().meta({ description: "The provider's authorization code." }),
  state: text().optional().meta({ description: 'The state of the login.' }),
  iss: text().optional().meta({ description: 'The provider (RFC 9207).' }),
  error: text().optional().meta({ description: "The provider's error code, instead of the code." }),
})

/** RFC 7636, section 4.1. */
const CODE_VERIFIER = /^[A-Za-z0-9._~-]{43,128}$/

const codeVerifierSchema = text()
  .refine((verifier) => CODE_VERIFIER.test(verifier), {
    error: 'must be the code verifier: 43 to 128 characters of A-Z a-z 0-9 . _ ~ -',
    params: { code: 'malformed', min: 43, max: 128 },
  })
  .meta({ pattern: CODE_VERIFIER.source })

const shortTextMember = (description: string) =>
  z
    .string({ error: 'must be a string' })
    .min(1, 'is required')
    .max(255, 'must have at most 255 characters')
    .meta({ description })

export const loginTokenRequestSchema = z
  .object({
    workspace_id: shortTextMember('The workspace to act on, for members of several workspaces.').optional(),
    code: shortTextMember('The one-time code of a command-line login, instead of the cookie.').optional(),
    code_verifier: codeVerifierSchema
      .optional()
      .meta({ description: 'With `code`: the text whose SHA-256 is `code_challenge`.' }),
  })
  .refine((body) => body.code === undefined || body.code_verifier !== undefined, {
    path: ['code_verifier'],
    error: 'is required with code',
    params: { code: 'conditional' },
  })

const workspaceListSchema = z
  .array(z.strictObject({ workspace_id: z.string(), name: z.string(), role: z.enum(ROLES) }))
  .meta({ description: 'Every workspace that the user is a member of.' })

const emailSchema = z.string().meta({ description: 'Who is logged in.' })

export const loginTokenResponseSchema = tokenResponseSchema.extend({
  workspace_id: z.string().meta({ description: 'The workspace that the token acts on.' }),
  role: z.enum(ROLES).meta({ description: 'The role in that workspace.' }),
  email: emailSchema,
  workspaces: workspaceListSchema,
})

export const loginWorkspacesSchema = z.strictObject({ email: emailSchema, items: workspaceListSchema })

export const loggedOutSchema = z.strictObject({ logged_out: z.literal(true) })

export type LoginQuery = z.output<typeof loginQuerySchema>

export type LoginTokenRequest = z.output<typeof loginTokenRequestSchema>
