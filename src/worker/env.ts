import * as z from 'zod'
import { LOOPBACK_HOSTS } from '#shared/access/loopback-hosts'
import { DEFAULT_DOCUMENT_DAYS, DEFAULT_HISTORY_DAYS } from '#shared/limits'

const signingKeySchema = z.object({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

export type SigningKey = z.infer<typeof signingKeySchema>

/** 32 bytes take 43 characters; the last one holds four bits. */
const masterKeySchema = z.string().regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)

/** An optional variable. If set but empty, it is not configured. */
const optional = <T extends z.ZodType>(schema: T) =>
  z.union([schema, z.literal('').transform(() => undefined)]).optional()

const days = (byDefault: number) =>
  optional(z.string().regex(/^\d{1,5}$/)).transform((text) => (text === undefined ? byDefault : Number(text)))

/** Texts separated by commas or white space. */
const listSchema = z
  .string()
  .default('')
  .transform((text) => text.split(/[\s,]+/).filter((part) => part !== ''))

const webAddressSchema = z.url({ protocol: /^https?$/ })

const oidcIssuerSchema = webAddressSchema.refine((value) => {
  // Refinements also run for values that failed an earlier check.
  const url = URL.parse(value)
  if (url === null) return false
  const { protocol, hostname, search, hash } = url
  // OpenID Connect Discovery 1.0, section 3: https, without query and fragment.
  return (protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname)) && search === '' && hash === ''
})

/** Variables and secrets of the Worker, as `wrangler.toml` and `wrangler secret` define them. */
const configSchema = z.object({
  /** Public address of the service without a trailing slash; `iss` and `aud` of its access tokens. */
  ISSUER: webAddressSchema.transform((url) => url.replace(/\/$/, '')),
  /** JSON array of private ES256 JWKs, each with a `kid`: the first signs, all verify. */
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
  /** `aud` of partner tokens. Does not change, because partners configure it, too. */
  PARTNER_AUDIENCE: z.string().min(1),
  /** Further addresses of the API for its description, such as the sandbox, separated by commas. */
  API_SERVERS: listSchema.pipe(z.array(webAddressSchema)),
  /** Base64url of 32 random bytes: encrypts the secrets in the database. */
  MASTER_KEY: masterKeySchema,
  /** Earlier master keys, separated by commas, until all secrets are re-encrypted (`npm run reseal`). */
  PREVIOUS_MASTER_KEYS: listSchema.pipe(z.array(masterKeySchema)),
  /** Bearer token of the operator endpoints. Without it, those endpoints return 404. */
  PLATFORM_ADMIN_TOKEN: optional(z.string().min(16)),
  /** Issuer of the OpenID provider for browser logins. Without this and the next two there is no login. */
  OIDC_ISSUER: optional(oidcIssuerSchema),
  OIDC_CLIENT_ID: optional(z.string().min(1)),
  OIDC_CLIENT_SECRET: optional(z.string().min(1)),
  /** Days for which earlier versions of records are kept. 0 keeps none. */
  HISTORY_DAYS: days(DEFAULT_HISTORY_DAYS),
  /** Days after which documents are deleted. 0 keeps them. */
  DOCUMENT_DAYS: days(DEFAULT_DOCUMENT_DAYS),
  /** Bindings of the databases for new workspaces, separated by commas. All databases by default. */
  NEW_WORKSPACES_IN: listSchema,
  /** The jurisdiction of databases and buckets, in which replay guards are created, too. */
  JURISDICTION: optional(z.enum(['eu', 'fedramp'])),
  /** `off` only reads from primary databases, not from read replicas. */
  READ_REPLICATION: z.enum(['on', 'off']).default('on'),
})

/** Decides which use of a partner token is the first. One object per credential. */
export interface TokenIdClaims extends Rpc.DurableObjectBranded {
  /**
   * Compare-and-set of the digest of a `jti`. Times are milliseconds since the epoch.
   *
   * @returns whether this is the first claim
   */
  claim(id: string, expiresAt: number, now: number): Promise<boolean>

  /** Releases a claim. Has no effect on a claim by another token with the same ID. */
  release(id: string, expiresAt: number): Promise<void>
}

/** Required bindings. */
interface Bindings {
  /** The control database, which can also contain workspaces. Further databases are bound as `DB_2`, `DB_3`, … */
  DB: D1Database
  ASSETS: Fetcher
  DOCUMENTS: R2Bucket
  TOKEN_RATE_LIMIT: RateLimit
  WORKSPACE_RATE_LIMIT: RateLimit
  PARTNER_RATE_LIMIT: RateLimit
  /** IDs of used partner tokens: a filter before `REPLAY_GUARD`. */
  SEEN_JTI: KVNamespace
  REPLAY_GUARD: DurableObjectNamespace<TokenIdClaims>
}

/** The kinds of these bindings, as the tables of `wrangler.toml` name them. */
export const BINDINGS: Readonly<Record<keyof Bindings, string>> = {
  DB: 'd1_databases',
  ASSETS: 'assets',
  DOCUMENTS: 'r2_buckets',
  TOKEN_RATE_LIMIT: 'ratelimits',
  WORKSPACE_RATE_LIMIT: 'ratelimits',
  PARTNER_RATE_LIMIT: 'ratelimits',
  SEEN_JTI: 'kv_namespaces',
  REPLAY_GUARD: 'durable_objects',
}

export interface Env extends z.input<typeof configSchema>, Bindings {}

/** The replay guards, in the configured jurisdiction, if any. */
export const replayGuards = ({ REPLAY_GUARD, JURISDICTION }: Pick<Env, 'REPLAY_GUARD' | 'JURISDICTION'>) =>
  JURISDICTION ? REPLAY_GUARD.jurisdiction(JURISDICTION) : REPLAY_GUARD

/** Undefined without a browser login. @throws Error if only some of the three are configured */
function loginProviderOf(data: z.output<typeof configSchema>) {
  const { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: clientId, OIDC_CLIENT_SECRET: clientSecret } = data
  if (issuer !== undefined && clientId !== undefined && clientSecret !== undefined) {
    return { issuer, clientId, clientSecret }
  }
  if (issuer === undefined && clientId === undefined && clientSecret === undefined) return undefined
  throw new Error('configuration: OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET must be set together')
}

export type LoginProvider = NonNullable<ReturnType<typeof loginProviderOf>>

const configFrom = (data: z.output<typeof configSchema>) => ({
  issuer: data.ISSUER,
  servers: [data.ISSUER, ...data.API_SERVERS],
  signingKeys: data.SIGNING_KEYS,
  partnerAudience: data.PARTNER_AUDIENCE,
  /** The current key first. Each is the base64url of 32 bytes. */
  masterKeys: [data.MASTER_KEY, ...data.PREVIOUS_MASTER_KEYS] as const,
  platformAdminToken: data.PLATFORM_ADMIN_TOKEN,
  historyDays: data.HISTORY_DAYS,
  documentDays: data.DOCUMENT_DAYS,
  loginProvider: loginProviderOf(data),
  newWorkspacesIn: data.NEW_WORKSPACES_IN.length > 0 ? data.NEW_WORKSPACES_IN : undefined,
  readReplication: data.READ_REPLICATION === 'on',
})

type Config = ReturnType<typeof configFrom>

const configs = new WeakMap<Env, Config>()

/** Checked once per isolate. @throws Error with the names of missing or malformed variables, never their values. */
export function configOf(env: Env): Config {
  const cached = configs.get(env)
  if (cached) return cached
  const result = configSchema.safeParse(env)
  if (!result.success) {
    const names = [...new Set(result.error.issues.map((issue) => String(issue.path[0])))]
    throw new Error(`configuration: ${names.join(', ')} missing or malformed`)
  }
  const config = configFrom(result.data)
  configs.set(env, config)
  return config
}

/** The problems of variables, secrets and bindings, without values. Empty if the Worker can run. */
export function configurationErrors(env: Env): string[] {
  const missing = Object.keys(BINDINGS)
    .filter((name) => !Reflect.has(env, name))
    .map((name) => `${name} is not bound`)
  try {
    const { newWorkspacesIn = [] } = configOf(env)
    const unbound = newWorkspacesIn.filter((name) => !Reflect.has(env, name))
    return [...missing, ...unbound.map((name) => `NEW_WORKSPACES_IN names ${name}, which is not bound`)]
  } catch (error) {
    return [...missing, error instanceof Error ? error.message : String(error)]
  }
}

/** Caches a value derived from the configuration, such as imported keys, once per isolate. */
export function oncePerIsolate<T extends object>(make: (config: Config) => Promise<T>): (env: Env) => Promise<T> {
  const values = new WeakMap<Config, T>()
  return async (env) => {
    const config = configOf(env)
    const cached = values.get(config)
    if (cached) return cached
    // Caches the value rather than the promise, because a request must not wait for the work of another request.
    const value = await make(config)
    values.set(config, value)
    return value
  }
}
