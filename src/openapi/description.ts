import * as z from 'zod'
import type { Endpoint } from '#http/endpoint'
import { DOCS_FILES } from './page'

const openapiDocumentSchema = z
  .looseObject({ openapi: z.literal('3.1.0') })
  .describe('An OpenAPI 3.1 document: this one.')

const healthSchema = z.object({ success: z.literal(true), message: z.literal('ok') })

/** Health and the description itself. */
export const descriptionEndpoints: readonly Endpoint[] = [
  {
    method: 'get',
    path: '/health',
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Say whether the service and its database answer',
    access: 'none',
    response: { 'application/json': healthSchema },
    errors: [],
  },
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getDescription',
    tag: 'Service',
    summary: 'Get this description',
    access: 'none',
    response: { 'application/json': openapiDocumentSchema },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs',
    operationId: 'getDescriptionPage',
    tag: 'Service',
    summary: 'Read this description in a browser',
    access: 'none',
    response: { 'text/html': z.string() },
    errors: [],
  },
  {
    method: 'get',
    path: '/docs/{file}',
    operationId: 'getDescriptionPageFile',
    tag: 'Service',
    summary: 'Get a script, style sheet or licence text of the page',
    description: `One of: ${DOCS_FILES.join(', ')}.`,
    access: 'none',
    response: { 'text/javascript': z.string(), 'text/css': z.string(), 'text/plain': z.string() },
    errors: ['not_found'],
  },
]
