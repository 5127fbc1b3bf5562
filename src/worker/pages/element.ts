import { Hono } from 'hono'
import * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { anyone } from '#worker/auth/access'
import type { AppEnv } from '#worker/http/context'
import { bare, file } from '#worker/http/endpoint/answers'
import { type Endpoint, endpoint } from '#worker/http/endpoint/endpoint'
import { answerAsset, IMMUTABLE, OWN_SCRIPTS, pageHeaders } from '#worker/http/pages'
import releases from './releases/releases.json'

/** The released versions of `<catalog-search>`, oldest first; `scripts/element/check.mjs` keeps the list. */
const RELEASES: readonly Release[] = releases

type Release = (typeof releases)[number]

const pathOf = (version: string): string => `/embed/${version}/catalog-search.js`

/** Resolves a version in a path: a release, or the newest release of a major version (`v1`). */
function findRelease(version: string): { release: Release; isFixed: boolean } | undefined {
  const major = /^v(\d+)$/.exec(version)?.[1]
  const release = RELEASES.findLast((each) =>
    major === undefined ? each.version === version : each.version.startsWith(`${major}.`),
  )
  return release && { release, isFixed: major === undefined }
}

const elementDefaults = { tag: 'Search element', access: anyone, unknownParameters: 'ignored' } as const

/** Pages of every origin may load and verify the files, which contain no data of a workspace. */
const FOR_ALL_PAGES = { 'Access-Control-Allow-Origin': '*', 'Cross-Origin-Resource-Policy': 'cross-origin' }

/** Short, because a newer release may replace it. */
const KEPT_FOR_MINUTES = 'public, max-age=300'

const releaseListSchema = z.strictObject({
  versions: z.array(
    z.strictObject({
      version: z.string(),
      path: z.string().meta({
        description: 'Path of the file of this version, which never changes.',
        example: '/embed/1.1.0/catalog-search.js',
      }),
      integrity: z.string().meta({ description: 'Value for the attribute `integrity` of a script.' }),
    }),
  ),
})

const listReleases = endpoint(
  {
    ...elementDefaults,
    method: 'get',
    path: '/embed/',
    operationId: 'listElementVersions',
    summary: 'List the versions of the search element',
    description: 'Newest first. Pages of every origin may read it.',
    answer: bare(releaseListSchema),
  },
  ({ c }) => {
    c.header('Cache-Control', KEPT_FOR_MINUTES)
    for (const [name, value] of Object.entries(FOR_ALL_PAGES)) c.header(name, value)
    const versions = RELEASES.toReversed().map(({ version, integrity }) => ({
      version,
      path: pathOf(version),
      integrity,
    }))
    return { versions }
  },
)

const getElement = endpoint(
  {
    ...elementDefaults,
    method: 'get',
    path: '/embed/{version}/catalog-search.js',
    operationId: 'getElement',
    summary: 'Get the search element for pages of partners',
    description:
      'A script that defines `<catalog-search>`. `version` is a version of the list, whose file never changes, ' +
      'or `v` and a major version, such as `v1`, for the newest of it. Pages of every origin may load it.',
    answer: file({ 'text/javascript': z.string() }),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const match = findRelease(params.version)
    if (match === undefined) {
      throw new ApiError('not_found', 'The search element has no such version. GET /embed/ lists them.')
    }
    const headers = {
      ...FOR_ALL_PAGES,
      ...(match.isFixed ? IMMUTABLE : { 'Cache-Control': KEPT_FOR_MINUTES }),
      'Content-Type': 'text/javascript; charset=utf-8',
    }
    return answerAsset(c, pathOf(match.release.version), headers, true)
  },
)

export const elementEndpoints: readonly Endpoint[] = [listReleases, getElement]

/** As strict as partners' pages may be. The element must work with it. */
const HEADERS = {
  ...pageHeaders([
    ...OWN_SCRIPTS,
    "style-src 'self'",
    "img-src 'self' data:",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]),
  'Cache-Control': 'no-store',
}

export const demoRoutes = new Hono<AppEnv>({ strict: false })
  .get('/', (c) => answerAsset(c, '/embed/demo/', HEADERS))
  .get('/assets/:file', (c) =>
    answerAsset(c, `/embed/demo/assets/${encodeURIComponent(c.req.param('file'))}`, IMMUTABLE),
  )
