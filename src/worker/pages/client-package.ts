import * as z from 'zod'
import { ApiError } from '#shared/errors/errors'
import { anyone } from '#worker/auth/access'
import type { AppContext } from '#worker/http/context'
import { bare, file } from '#worker/http/endpoint/answers'
import { type Endpoint, endpoint } from '#worker/http/endpoint/endpoint'
import { answerAsset, pageText } from '#worker/http/pages'

const packageDefaults = { tag: 'Client package', access: anyone, unknownParameters: 'ignored' } as const

/** Short, because a deployment replaces the package. */
const CACHE = { 'Cache-Control': 'public, max-age=300' }

const LATEST = 'latest.tgz'

const packageInfoSchema = z.strictObject({
  version: z.string().meta({ description: 'Version of the service, and of the package.' }),
  path: z.string().meta({ description: 'Path of the package of this version.' }),
  sha256: z.string().meta({ description: 'SHA-256 of the package, in hexadecimal.' }),
  digest: z.string().meta({ description: 'The same digest, as in `Repr-Digest` (RFC 9530).' }),
})

const infoOf = async (c: AppContext) => packageInfoSchema.parse(JSON.parse(await pageText(c, '/client/index.json')))

const getInfo = endpoint(
  {
    ...packageDefaults,
    method: 'get',
    path: '/client/',
    operationId: 'getClientPackage',
    summary: 'Get the version and the digest of the client package',
    description:
      'The package has a client for JavaScript with types, and the command line `dcs`. Its version is that of the ' +
      'service.',
    answer: bare(packageInfoSchema),
  },
  ({ c }) => {
    c.header('Cache-Control', CACHE['Cache-Control'])
    return infoOf(c)
  },
)

const getPackage = endpoint(
  {
    ...packageDefaults,
    method: 'get',
    path: '/client/{file}',
    operationId: 'downloadClientPackage',
    summary: 'Download the client package',
    description:
      `\`${LATEST}\`, or the file that \`GET /client/\` names: \`npm install\` and \`npx\` accept its URL. ` +
      `\`Repr-Digest\` (RFC 9530) has its SHA-256.`,
    answer: file({ 'application/gzip': z.string() }),
    errors: ['not_found'],
  },
  async ({ c, params }) => {
    const { path, digest } = await infoOf(c)
    const name = path.slice('/client/'.length)
    if (params.file !== LATEST && params.file !== name) {
      throw new ApiError('not_found', `This file does not exist. The files are ${LATEST} and ${name}.`)
    }
    const headers = {
      ...CACHE,
      'Content-Type': 'application/gzip',
      'Content-Disposition': `attachment; filename="${name}"`,
      'Repr-Digest': digest,
    }
    return answerAsset(c, path, headers, true)
  },
)

export const clientPackageEndpoints: readonly Endpoint[] = [getInfo, getPackage]
