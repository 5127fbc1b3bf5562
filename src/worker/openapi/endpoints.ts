import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { anyone } from '#worker/auth/access'
import { endpoints } from '#worker/endpoints'
import { configurationErrors, oncePerIsolate } from '#worker/env'
import type { AppContext, AppEnv } from '#worker/http/context'
import { controlDatabaseOf } from '#worker/http/databases'
import { bare, file } from '#worker/http/endpoint/answers'
import { type Endpoint, endpoint } from '#worker/http/endpoint/endpoint'
import { limitLookups } from '#worker/http/limits/rate-limit'
import { answerAsset, OWN_SCRIPTS, pageHeaders, pageText } from '#worker/http/pages'
import { clientPackageEndpoints } from '#worker/pages/client-package'
import { elementEndpoints } from '#worker/pages/element'
import { version } from '../../../package.json'
import { openapiJson } from './document'

/** Documents of the project as pages, which `scripts/docs/guides.mjs` makes. */
const GUIDES: readonly string[] = ['partners', 'contract', 'client']

/** The URL in the documents' examples. A running service replaces it by its own. */
const EXAMPLE_ORIGIN = 'https://catalog.example'

const INITIALISER = 'init.js'

/** The page of `/docs`: Swagger UI. It loads nothing from another host and has no script in the page itself. */
export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dataset Catalog Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<p><a href="/docs/partners">Partner guide</a>: a search box on your page in ten minutes</p>
<div id="description"><noscript>This page needs JavaScript; the document itself is at /openapi.json.</noscript></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/${INITIALISER}"></script>
</body>
</html>
`

/** `validatorUrl: null` keeps Swagger UI from sending the document to its public validator. */
const INITIALISER_JS = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
})
`

/** Swagger UI sets `style` attributes on what it renders and takes no nonce. Its icons are `data:` images. */
const PAGE_HEADERS = pageHeaders([...OWN_SCRIPTS, "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"])

const GUIDE_HEADERS = pageHeaders(["style-src 'self'", "img-src 'self' data:"])

const service = { tag: 'Service', access: anyone } as const

const PUBLIC_HEADERS = { 'Cache-Control': 'public, max-age=300' }

/** Runs before everything that reads the configuration. Missing settings are only logged. */
export const requireConfiguration = createMiddleware<AppEnv>(async (c, next) => {
  const errors = configurationErrors(c.env)
  if (errors.length > 0) {
    const reason = `not configured: ${errors.join('; ')}`
    throw new ApiError('unavailable', 'The service is not configured. Its log lists what is missing.', { reason })
  }
  await next()
})

const health = endpoint(
  {
    ...service,
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    summary: 'Check whether the service and its database respond',
    description:
      'For monitoring: 503 if the database does not respond, or if the configuration is incomplete. `version` is ' +
      'the release that runs; CHANGELOG.md lists them.',
    answer: bare(z.object({ success: z.literal(true), message: z.literal('ok'), version: z.string() })),
    errors: ['rate_limited'],
  },
  async ({ c }) => {
    await limitLookups(c, 'health')
    await controlDatabaseOf(c).all(sql`select 1 as ok`)
    return { success: true as const, message: 'ok' as const, version }
  },
)

async function answerGuide(c: AppContext, name: string): Promise<Response> {
  const html = (await pageText(c, `/docs/${name}`)).replaceAll(EXAMPLE_ORIGIN, new URL(c.req.url).origin)
  return c.html(html, 200, { ...GUIDE_HEADERS, ...PUBLIC_HEADERS })
}

/** A file of the page: a static asset (`scripts/assets.mjs`), except the initialiser. */
async function answerPageFile(c: AppContext, name: string): Promise<Response> {
  if (name === INITIALISER) {
    return c.body(INITIALISER_JS, 200, { ...PUBLIC_HEADERS, 'Content-Type': 'text/javascript; charset=utf-8' })
  }
  if (GUIDES.includes(name)) return answerGuide(c, name)
  return answerAsset(c, `/docs/${encodeURIComponent(name)}`)
}

const page = endpoint(
  {
    ...service,
    method: 'get',
    path: '/docs',
    operationId: 'getDescriptionPage',
    summary: 'Read this description in a browser',
    description: 'The page loads nothing from other hosts.',
    unknownParameters: 'ignored',
    answer: file({ 'text/html': z.string() }),
  },
  ({ c }) => c.html(PAGE_HTML, 200, { ...PAGE_HEADERS, ...PUBLIC_HEADERS }),
)

const pageFile = endpoint(
  {
    ...service,
    method: 'get',
    path: '/docs/{asset}',
    operationId: 'getDescriptionPageFile',
    summary: 'Get a guide, or a file of the page',
    description: `The guides are ${GUIDES.join(', ')}.`,
    unknownParameters: 'ignored',
    answer: file({
      'text/html': z.string(),
      'text/javascript': z.string(),
      'text/css': z.string(),
      'text/plain': z.string(),
      'application/json': z.unknown(),
      'image/png': z.string(),
    }),
    errors: ['not_found'],
  },
  ({ c, params }) => answerPageFile(c, params.asset),
)

const descriptionSchema = z.looseObject({ openapi: z.literal('3.1.0') }).describe('An OpenAPI 3.1 document: this one.')

const descriptionOf = oncePerIsolate(async ({ servers }) => ({ text: describeService(servers) }))

const description = endpoint(
  {
    ...service,
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    summary: 'Get this description',
    description: 'The description is generated from the schemas that validate requests.',
    unknownParameters: 'ignored',
    answer: file({ 'application/json': descriptionSchema }),
  },
  async ({ c }) => {
    const { text } = await descriptionOf(c.env)
    return c.body(text, 200, { ...PUBLIC_HEADERS, 'Content-Type': 'application/json' })
  },
)

export const serviceEndpoints: readonly Endpoint[] = [
  health,
  description,
  page,
  pageFile,
  ...clientPackageEndpoints,
  ...elementEndpoints,
]

/** The description of the whole service, also for tools without a running service. */
export const describeService = (servers: readonly string[]): string =>
  openapiJson([...endpoints, ...serviceEndpoints], servers)
