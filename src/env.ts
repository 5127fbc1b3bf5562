import * as z from 'zod'

/** Bindings, variables and secrets of the Worker, as `wrangler.toml` and `wrangler secret` define them. */
export interface Env {
  DB: D1Database
  ASSETS: Fetcher
  TOKEN_RATE_LIMIT: RateLimit
  WORKSPACE_RATE_LIMIT: RateLimit
  /** Public address of the service without a trailing slash; `iss` and `aud` of its access tokens. */
  ISSUER: string
  /** JSON array of private ES256 JWKs, each with a `kid`: the first signs, all verify. */
  SIGNING_KEYS: string
  /** Bearer token of the operator endpoints; without it they do not exist. */
  PLATFORM_ADMIN_TOKEN?: string
}

const signingKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

export type SigningKey = z.infer<typeof signingKeySchema>

const configSchema = z.object({
  ISSUER: z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/$/, '')),
  SIGNING_KEYS: z
    .string()
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text)
      } catch {
        ctx.addIssue({ code: 'custom', message: 'is not JSON' })
        return z.NEVER
      }
    })
    .pipe(z.array(signingKeySchema).min(1)),
  // Set but empty means not configured.
  PLATFORM_ADMIN_TOKEN: z.union([z.string().min(16), z.literal('').transform(() => undefined)]).optional(),
})

export interface Config {
  issuer: string
  signingKeys: SigningKey[]
  platformAdminToken: string | undefined
}

const parsed = new WeakMap<Env, Config>()

/**
 * The variables and secrets, checked once per isolate.
 *
 * @throws Error naming the variables that are missing or malformed, never their values.
 */
export function configOf(env: Env): Config {
  const known = parsed.get(env)
  if (known) return known
  const result = configSchema.safeParse(env)
  if (!result.success) {
    const names = [...new Set(result.error.issues.map((issue) => String(issue.path[0])))]
    throw new Error(`configuration: ${names.join(', ')} missing or malformed`)
  }
  const config = {
    issuer: result.data.ISSUER,
    signingKeys: result.data.SIGNING_KEYS,
    platformAdminToken: result.data.PLATFORM_ADMIN_TOKEN,
  }
  parsed.set(env, config)
  return config
}
