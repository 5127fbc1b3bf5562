import { Hono } from 'hono'
import { authenticate, authenticateWithPartnerToken, requireScope } from '#auth/authenticate'
import type { AppContext, AppEnv } from '#http/context'
import { success } from '#http/responses'
import { readFile } from '#http/upload'
import { validQuery } from '#http/validation'
import { catalogDatabase } from '#storage/database'
import { uploadQuery } from './schemas'
import { type DocumentStore, getDocument, readDocument, storeDocument } from './store'

/** The workspace comes from the credential alone. */
const storeOf = (c: AppContext): DocumentStore => ({
  database: catalogDatabase(c.env, c.var.caller.databaseBinding, c.var.meter),
  bucket: c.env.DOCUMENTS,
  workspaceId: c.var.caller.workspaceId,
})

const permission = requireScope('documents')

/** The document endpoints (decisions, section 11), mounted at /mr/api/v2/docs. */
export const documentRoutes = new Hono<AppEnv>({ strict: false })

documentRoutes.post('/', authenticateWithPartnerToken, permission, validQuery(uploadQuery), async (c) => {
  const { task, dt } = c.req.valid('query')
  const { bytes } = await readFile(c)
  const document = { bytes, tasks: task, documentType: dt ?? null, actor: c.var.caller.actor }
  return success(c, 'Document stored', await storeDocument(storeOf(c), document, c.var.deadline, new Date()))
})

documentRoutes.get('/:document_id', authenticate, permission, async (c) =>
  success(c, 'Document found', await getDocument(storeOf(c), c.req.param('document_id'))),
)

documentRoutes.get('/:document_id/content', authenticate, permission, async (c) => {
  const { metadata, content } = await readDocument(storeOf(c), c.req.param('document_id'))
  // Saved, never shown: what somebody uploaded must not run as a page of this service.
  return c.body(content, 200, {
    'Content-Type': metadata.content_type,
    'Content-Length': String(metadata.size_bytes),
    'Content-Disposition': 'attachment',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'private, no-store',
  })
})

// Whatever else is asked for below this path is told to those alone who have a token.
documentRoutes.use(authenticate)
