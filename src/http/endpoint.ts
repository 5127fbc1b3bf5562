import type * as z from 'zod'
import type { Scope } from '#access/caller'
import type { ErrorCode } from '#errors'

/**
 * What the API description says of one endpoint. Every folder with routes has a `description.ts` with a list of these,
 * made of the schemas that its routes validate with; `openapi.ts` turns them into the document.
 */
export interface Endpoint {
  method: 'get' | 'post' | 'delete'
  /** As in OpenAPI, with the trailing slash where the specification has it: `/admin/datasets/v1/{entity_id}/`. */
  path: string
  /** Unique; the name of a generated client's function. */
  operationId: string
  tag: string
  summary: string
  description?: string
  /** `none`, the operator's token, a partner token, a browser's session, or an access token with this scope. */
  access: 'none' | 'operator' | 'partner' | 'session' | Scope
  /** Whether a partner token is taken in place of the access token. */
  partnerToken?: true
  /** An object schema; each member is a query parameter. */
  query?: z.ZodObject
  headers?: z.ZodObject
  /** Request bodies by content type. */
  body?: Record<string, z.ZodType>
  /** Whether a request without a body is taken as well. */
  optionalBody?: true
  /** Where the answer is a redirect (302): where to. */
  redirect?: string
  /** Answers by content type; the status is 200 unless said otherwise. */
  response: Record<string, z.ZodType>
  /** Errors that this endpoint can give beyond those that all can (413, 500, 503, 504). */
  errors: readonly ErrorCode[]
}
