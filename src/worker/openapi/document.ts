import * as z from 'zod'
import { createDocument, type ZodOpenApiObject, type ZodOpenApiOperationObject } from 'zod-openapi'
import { ERROR_STATUS } from '#shared/errors/errors'
import { encryptedBodySchema, encryptionHeaderSchema } from '#worker/encryption/schemas'
import type { Access, Endpoint } from '#worker/http/endpoint/endpoint'
import { version as release } from '../../../package.json'
import { errorCodesOf, errorResponses, header, ON_A_PAGE, REQUEST_ID_HEADER } from './error-responses'
import { exampleOf, isOptional } from './example'
import { API_DESCRIPTION, TAG_DESCRIPTIONS } from './introduction'

const ETAG = {
  ETag: header('Changes with the revision, the epoch and the search source of the catalog (RFC 9110, section 8.8.3).'),
}

const conditionalHeaderSchema = z.object({
  'If-None-Match': z.string().optional().meta({
    description: 'The `ETag` of an earlier response. The response is 304 if nothing has changed.',
  }),
})

function requestHeaders(endpoint: Endpoint): z.ZodObject | undefined {
  const schemas = [
    ...(endpoint.headers ? [endpoint.headers] : []),
    ...(endpoint.answer.hasEntityTag ? [conditionalHeaderSchema] : []),
    ...(endpoint.takesEncrypted ? [encryptionHeaderSchema] : []),
  ]
  if (schemas.length === 0) return undefined
  return z.object(Object.assign({}, ...schemas.map(({ shape }) => shape)))
}

const answerHeaders = ({ answer, access, headers }: Endpoint) => ({
  ...REQUEST_ID_HEADER,
  ...(answer.hasEntityTag ? ETAG : {}),
  ...(headers !== undefined && 'Idempotency-Key' in headers.shape
    ? {
        'Idempotency-Replayed': header('`true` if an earlier request with the key did the work.'),
      }
    : {}),
  ...(answer.file ? { 'Content-Disposition': header('`attachment`, for a file.') } : {}),
  ...(access.kind === 'scope'
    ? {
        'X-D1-Bookmark': header(
          "The state of the workspace's database that the response has read or written; send it with later reads.",
        ),
      }
    : {}),
})

const NOT_MODIFIED = {
  304: {
    description: 'Nothing has changed since the response with this `ETag`.',
    headers: { ...REQUEST_ID_HEADER, ...ETAG },
  },
}

type Json = Record<string, unknown>

const contentOf = (content: Readonly<Record<string, z.ZodType>>) =>
  Object.fromEntries(
    Object.entries(content).map(([type, schema]) => {
      const example = type === 'application/json' ? exampleOf(schema) : undefined
      return [type, example === undefined ? { schema } : { schema, example }]
    }),
  )

function requestContent(endpoint: Endpoint): Readonly<Record<string, z.ZodType>> {
  const content = endpoint.body?.content ?? {}
  if (!endpoint.takesEncrypted) return content
  const plain = content['application/json']
  return {
    ...content,
    'application/json': plain ? z.union([plain, encryptedBodySchema]) : encryptedBodySchema,
  }
}

const withExample = (name: string, parameter: z.ZodType): z.ZodType =>
  isOptional(parameter) ? parameter : parameter.meta({ ...parameter.meta(), example: exampleOf(parameter, name) })

const parametersOf = (shape: Readonly<Record<string, z.ZodType>>): z.ZodObject =>
  z.object(Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, withExample(name, schema)])))

const pathParametersOf = (path: string): z.ZodObject | undefined => {
  const names = path.match(/(?<=\{)\w+(?=\})/g) ?? []
  return names.length === 0 ? undefined : parametersOf(Object.fromEntries(names.map((name) => [name, z.string()])))
}

/** In OpenAPI only OAuth 2.0 schemes have scopes, so the text of the operation names the scope that it needs. */
function securityOf({ kind, partnerToken, basicClient }: Access): Record<string, string[]>[] {
  if (kind === 'anyone') return basicClient ? [{}, { client: [] }] : []
  if (kind === 'operator') return [{ operatorToken: [] }]
  if (kind === 'partner') return [{ partnerToken: [] }]
  if (kind === 'session') return [{ session: [] }, {}]
  return [{ accessToken: [] }, ...(partnerToken ? [{ partnerToken: [] }] : [])]
}

function successOf(endpoint: Endpoint) {
  const { answer } = endpoint
  const content = contentOf(answer.content)
  const success = { description: 'Success.', headers: answerHeaders(endpoint), content }
  if (answer.accepted) {
    return { 200: success, 202: { ...success, description: 'The work is not finished: repeat the request.' } }
  }
  if (answer.redirect === undefined) return { 200: success, ...(answer.hasEntityTag ? NOT_MODIFIED : {}) }
  const headers = { ...REQUEST_ID_HEADER, Location: header('The address to open.') }
  const redirected = { 302: { description: answer.redirect, headers } }
  return Object.keys(content).length === 0
    ? redirected
    : { 200: { ...success, description: 'A page on which the user allows or stops the login.' }, ...redirected }
}

function operationOf(endpoint: Endpoint): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, access, body, path, query } = endpoint
  const errors = errorCodesOf(endpoint).map((code) => [
    ERROR_STATUS[code],
    { $ref: `#/components/responses/${code}${endpoint.errorPages ? ON_A_PAGE : ''}` },
  ])
  const parameters = {
    path: pathParametersOf(path),
    header: requestHeaders(endpoint),
    query: query === undefined ? undefined : parametersOf((query as z.ZodObject<Record<string, z.ZodType>>).shape),
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description: access.scope === undefined ? description : `${description}\n\nNeeds the scope \`${access.scope}\`.`,
    security: securityOf(access),
    requestParams: Object.fromEntries(Object.entries(parameters).filter(([, schema]) => schema !== undefined)),
    ...(body ? { requestBody: { required: body.required, content: contentOf(requestContent(endpoint)) } } : {}),
    responses: { ...successOf(endpoint), ...Object.fromEntries(errors) },
  }
}

const OF_ONE_WORKSPACE = '/admin/workspace/v1'
const OF_ANY_WORKSPACE = '/platform/v1/workspaces/{workspace_id}'

/** The operator's version of an admin's endpoint refers to it, so that each text is written once. */
function describedByTwin(endpoint: Endpoint, endpoints: readonly Endpoint[]): Endpoint {
  const path = endpoint.path.replace(OF_ANY_WORKSPACE, OF_ONE_WORKSPACE)
  const twin = endpoints.find((each) => each !== endpoint && each.path === path && each.method === endpoint.method)
  return twin === undefined
    ? endpoint
    : { ...endpoint, description: `Does the same as \`${twin.operationId}\`, for any workspace.` }
}

const SECURITY_SCHEMES = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'From POST /api/v1/auth/token, or POST /api/v1/auth/session/token after a login. The text of each ' +
      'operation names the scope that it needs.',
  },
  client: {
    type: 'http',
    scheme: 'basic',
    description:
      'Client ID and secret, each form-encoded; only POST /api/v1/auth/token accepts them. They may be in its ' +
      'body instead.',
  },
  partnerToken: {
    type: 'apiKey',
    in: 'header',
    name: 'x-auth-token',
    description:
      'A compact JWE (`dir`, `A256GCM`) that the partner makes with the secret of its credential. Send it ' +
      'instead of Authorization, not together with it.',
  },
  session: {
    type: 'apiKey',
    in: 'cookie',
    name: '__Host-session',
    description: 'The cookie of a browser login. Only the endpoints of the session accept it.',
  },
  operatorToken: { type: 'http', scheme: 'bearer', description: "The operator's token, `PLATFORM_ADMIN_TOKEN`." },
} as const

function buildDocument(endpoints: readonly Endpoint[], servers: readonly string[]): object {
  const paths: Record<string, Json> = {}
  // Paths work with and without a trailing slash, but a validating gateway only knows the paths listed here. So each
  // path is written as in the contract.
  for (const endpoint of endpoints) {
    const operation = operationOf(describedByTwin(endpoint, endpoints))
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method]: operation }
  }
  const contents: ZodOpenApiObject = {
    openapi: '3.1.0',
    info: {
      title: 'Dataset Catalog Service',
      version: '1.0.0',
      'x-release': release,
      description: API_DESCRIPTION,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: servers.map((url) => ({ url })),
    tags: Object.entries(TAG_DESCRIPTIONS).map(([name, text]) => ({ name, description: text })),
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      headers: {
        RequestId: header("The ID of the request: the caller's own if it is well-formed, otherwise a new one."),
      },
      responses: errorResponses(endpoints),
    },
  }
  return createDocument(contents, {
    // Responses may get new properties later, so only objects that a schema closes are described as closed.
    override: ({ jsonSchema, zodSchema }) => {
      const definition = zodSchema._zod.def
      // Tools expect `items` in every array, even if its items are described one by one.
      if (definition.type === 'tuple') {
        const length = jsonSchema.prefixItems?.length ?? 0
        Object.assign(jsonSchema, { items: {}, minItems: length, maxItems: length })
      }
      if (definition.type !== 'object' || ('catchall' in definition && definition.catchall)) return
      delete jsonSchema.additionalProperties
    },
  })
}

/** The description of the whole service (OpenAPI 3.1), as JSON text. */
export const openapiJson = (endpoints: readonly Endpoint[], servers: readonly string[]): string =>
  JSON.stringify(buildDocument(endpoints, servers))
