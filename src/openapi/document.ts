import { authEndpoints } from '#auth/description'
import { catalogEndpoints } from '#catalog/description'
import { documentEndpoints } from '#documents/description'
import { withEncryptedForm } from '#encryption/description'
import { ERROR_STATUS, type ErrorCode } from '#errors'
import type { Endpoint } from '#http/endpoint'
import { errorResponseSchema } from '#http/error-response'
import { loginEndpoints } from '#login/description'
import { platformEndpoints } from '#platform/description'
import { registrationEndpoints } from '#registration/description'
import { searchEndpoints } from '#search/description'
import { workspaceEndpoints } from '#workspace/description'
import { descriptionEndpoints } from './description'
import { type Direction, JsonSchemas } from './json-schemas'

type Json = Record<string, unknown>

/** Every endpoint of the service, in the order of the document. */
export const endpoints: readonly Endpoint[] = [
  ...catalogEndpoints,
  ...searchEndpoints,
  ...documentEndpoints,
  ...registrationEndpoints,
  ...authEndpoints,
  ...loginEndpoints,
  ...workspaceEndpoints,
  ...platformEndpoints,
  ...descriptionEndpoints,
].map(withEncryptedForm)

/** What any endpoint can answer (decisions, section 1). */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'payload_too_large',
  'internal',
  'unavailable',
  'deadline_exceeded',
  'storage_full',
]

const ERROR_DESCRIPTIONS: Record<ErrorCode, string> = {
  invalid_request: 'A bad parameter, malformed JSON or CSV, or failed validation.',
  unauthorized: 'No token, or one that is invalid, expired, revoked or replayed.',
  forbidden: 'A valid token without the permission.',
  not_found: 'There is no such thing.',
  method_not_allowed: 'The path takes other methods only.',
  conflict:
    'The shrink guard, a stale `expected_revision`, something of that name exists already, or a workspace would lose its ' +
    'last admin.',
  payload_too_large: 'The body is larger than 10 MB (10,485,760 bytes), as received or decompressed.',
  unsupported_media_type: 'A Content-Type or Content-Encoding that the endpoint does not take.',
  rate_limited: 'Too many requests.',
  internal: 'An unforeseen fault.',
  unavailable: 'The database is unavailable.',
  storage_full: 'The database is full; nothing was written.',
  deadline_exceeded: 'No answer within 29 seconds; the message says whether anything was written.',
}

const header = (description: string): Json => ({ description, schema: { type: 'string' } })

/** Headers that come with an error beyond those of every answer. */
const ERROR_HEADERS: Partial<Record<ErrorCode, Record<string, Json>>> = {
  unauthorized: { 'WWW-Authenticate': header('The scheme to use: `Bearer`.') },
  method_not_allowed: { Allow: header('The methods that the path takes.') },
  rate_limited: { 'Retry-After': header('Seconds to wait.') },
  unavailable: { 'Retry-After': header('Seconds to wait.') },
}

const REQUEST_ID_HEADER = { 'X-Request-Id': { $ref: '#/components/headers/RequestId' } }

const reference = (section: string, name: string): Json => ({ $ref: `#/components/${section}/${name}` })

/** The parts of the document. What a shared schema is called is known only when all have been added; see `finish`. */
class Document {
  readonly #schemas = new JsonSchemas()
  /** Schemas in the document, to be resolved in place when all have been added. */
  readonly #pending: { holder: Json; direction: Direction }[] = []

  #schema(schema: Parameters<JsonSchemas['add']>[0], direction: Direction): Json {
    const holder: Json = this.#schemas.add(schema, direction)
    this.#pending.push({ holder, direction })
    return holder
  }

  #content(types: Endpoint['response'], direction: Direction): Json {
    return Object.fromEntries(
      Object.entries(types).map(([type, schema]) => [type, { schema: this.#schema(schema, direction) }]),
    )
  }

  /** One parameter per member of an object schema. */
  #parameters(schema: NonNullable<Endpoint['query']>, place: 'query' | 'header'): Json[] {
    const object = this.#schemas.add(schema, 'input')
    const required = new Set((object.required as string[] | undefined) ?? [])
    return Object.entries((object.properties as Record<string, Json>) ?? {}).map(([name, property]) => {
      const { description, ...rest } = property
      const holder: Json = { ...rest }
      this.#pending.push({ holder, direction: 'input' })
      return {
        name,
        in: place,
        required: required.has(name),
        ...(description === undefined ? {} : { description }),
        schema: holder,
      }
    })
  }

  operation(endpoint: Endpoint): Json {
    const pathParameters = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }))
    const parameters = [
      ...pathParameters,
      ...(endpoint.headers ? this.#parameters(endpoint.headers, 'header') : []),
      ...(endpoint.query ? this.#parameters(endpoint.query, 'query') : []),
    ]
    return {
      operationId: endpoint.operationId,
      tags: [endpoint.tag],
      summary: endpoint.summary,
      ...(endpoint.description ? { description: endpoint.description } : {}),
      security: securityOf(endpoint),
      ...(parameters.length > 0 ? { parameters } : {}),
      ...(endpoint.body
        ? {
            requestBody: {
              required: !endpoint.optionalBody,
              content: this.#content(endpoint.body, 'input'),
            },
          }
        : {}),
      responses: { ...this.#success(endpoint), ...errorResponsesOf(endpoint) },
    }
  }

  #success({ redirect, response }: Endpoint): Json {
    if (redirect !== undefined) {
      const headers = { ...REQUEST_ID_HEADER, Location: header('Where to go.') }
      return { 302: { description: redirect, headers } }
    }
    const content = this.#content(response, 'output')
    return { 200: { description: 'Success.', headers: REQUEST_ID_HEADER, content } }
  }

  errorResponse(code: ErrorCode): Json {
    return {
      description: ERROR_DESCRIPTIONS[code],
      headers: { ...REQUEST_ID_HEADER, ...ERROR_HEADERS[code] },
      content: { 'application/json': { schema: this.#schema(errorResponseSchema, 'output') } },
    }
  }

  /** Resolves every schema that was added, and returns those that are shared. To be called last. */
  finish(): Record<string, Json> {
    for (const { holder, direction } of this.#pending) {
      Object.assign(holder, this.#schemas.resolve(holder, direction))
    }
    return this.#schemas.components()
  }
}

function securityOf({ access, partnerToken }: Endpoint): Json[] {
  if (access === 'none') return []
  if (access === 'operator') return [{ operatorToken: [] }]
  if (access === 'partner') return [{ partnerToken: [] }]
  if (access === 'session') return [{ session: [] }, {}]
  return [{ accessToken: [access] }, ...(partnerToken ? [{ partnerToken: [] }] : [])]
}

function errorResponsesOf(endpoint: Endpoint): Json {
  const codes = new Set([...endpoint.errors, ...COMMON_ERRORS])
  return Object.fromEntries([...codes].map((code) => [ERROR_STATUS[code], reference('responses', code)]))
}

function buildDocument(issuer: string): Json {
  const document = new Document()
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const operations = paths[endpoint.path] ?? {}
    operations[endpoint.method] = document.operation(endpoint)
    paths[endpoint.path] = operations
  }
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[]
  const responses = Object.fromEntries(codes.map((code) => [code, document.errorResponse(code)]))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Dataset Catalog Service',
      version: '1.0.0',
      description:
        "A workspace's own formulary catalogs: medications, lab tests, symptoms and diagnoses.\n\n" +
        'Every path is the same resource with and without its trailing slash. Request bodies may be gzip.',
    },
    servers: [{ url: issuer }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'From POST /api/v1/auth/token, or POST /api/v1/auth/session/token after a login. The requirement names the scope that is needed.',
        },
        partnerToken: {
          type: 'apiKey',
          in: 'header',
          name: 'x-auth-token',
          description:
            'A compact JWE (`dir`, `A256GCM`) that the partner makes with the secret of its credential. In place of ' +
            'Authorization, not beside it.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-session',
          description: 'From a browser login; good for the endpoints of the session and nothing else.',
        },
        operatorToken: { type: 'http', scheme: 'bearer', description: "The operator's own token." },
      },
      headers: {
        RequestId: header("The request's id: the caller's own where it was well-formed, else a fresh one."),
      },
      responses,
      schemas: document.finish(),
    },
  }
}

const texts = new Map<string, string>()

/**
 * The description of the whole service, as JSON text; made once per isolate.
 *
 * @param issuer public address of the service, without a trailing slash
 */
export function openapiJson(issuer: string): string {
  let text = texts.get(issuer)
  if (text === undefined) {
    text = JSON.stringify(buildDocument(issuer))
    texts.set(issuer, text)
  }
  return text
}
