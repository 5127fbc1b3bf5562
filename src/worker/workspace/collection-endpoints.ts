import type * as z from 'zod'
import type { ErrorCode } from '#shared/errors/errors'
import { json } from '#worker/http/body/request-body'
import type { AppContext } from '#worker/http/context'
import { requireWritableWorkspace } from '#worker/http/databases'
import { type Answer, envelopedAs } from '#worker/http/endpoint/answers'
import { type Access, endpoint } from '#worker/http/endpoint/endpoint'
import { listQuerySchema, pageOf, pathParameter } from '#worker/http/endpoint/values'
import type { Page, PageRequest } from '#worker/storage/list-page'

/** Who manages keys, members, webhooks or clients, and under which path: the operator, or a workspace's admins. */
export interface Administration<Base extends string, Admin> {
  tag: string
  access: Access
  /** Such as `/admin/workspace/v1`. */
  base: Base
  /** Precedes the noun in an operation ID: `createWorkspaceApiKey`. */
  prefix: string
  /** The caller and its workspace, if any. Access has already been checked. */
  adminOf: (c: AppContext, now: Date) => Admin | Promise<Admin>
}

interface Described {
  /** For the operation ID; `create` and `revoke` by default. */
  verb?: string
  summary: string
  description: string
}

interface Collection<Segment extends string, Id extends string, Admin, New extends z.ZodType, Created, Item, Removed> {
  segment: Segment
  idParameter: Id
  /** For operation IDs. Must have a plural with s. */
  noun: string
  create: Described & {
    body: New
    answer: Answer<Created>
    run: (admin: Admin, input: z.output<New>, now: Date, c: AppContext) => Promise<Created>
  }
  list: Described & {
    message: string
    itemSchema: z.ZodType<Item>
    run: (admin: Admin, page: PageRequest, c: AppContext) => Promise<Page<Item>>
  }
  remove: Described & {
    errors?: readonly ErrorCode[]
    answer: Answer<Removed>
    run: (admin: Admin, id: string, now: Date) => Promise<Removed>
  }
}

export function collectionEndpoints<
  const Base extends string,
  const Segment extends string,
  const Id extends string,
  Admin,
  New extends z.ZodType,
  Created,
  Item,
  Removed,
>(
  { tag, access, base, prefix, adminOf }: Administration<Base, Admin>,
  { segment, idParameter, noun, create, list, remove }: Collection<Segment, Id, Admin, New, Created, Item, Removed>,
) {
  const common = { tag, access } as const
  return [
    endpoint(
      {
        ...common,
        method: 'post',
        path: `${base}/${segment}`,
        operationId: `${create.verb ?? 'create'}${prefix}${noun}`,
        summary: create.summary,
        description: create.description,
        body: json(create.body),
        answer: create.answer,
        errors: ['conflict'],
        writes: true,
      },
      async ({ c, body, now }) => {
        requireWritableWorkspace(c)
        return create.run(await adminOf(c, now), body, now, c)
      },
    ),
    endpoint(
      {
        ...common,
        method: 'get',
        path: `${base}/${segment}`,
        operationId: `list${prefix}${noun}s`,
        summary: list.summary,
        description: list.description,
        query: listQuerySchema,
        answer: envelopedAs(list.message, pageOf(list.itemSchema)),
      },
      async ({ c, query, now }) => list.run(await adminOf(c, now), query, c),
    ),
    endpoint(
      {
        ...common,
        method: 'delete',
        path: `${base}/${segment}/{${idParameter}}`,
        operationId: `${remove.verb ?? 'revoke'}${prefix}${noun}`,
        summary: remove.summary,
        description: remove.description,
        answer: remove.answer,
        errors: ['not_found', ...(remove.errors ?? [])],
        writes: true,
      },
      async ({ c, now }) => remove.run(await adminOf(c, now), pathParameter(c, idParameter), now),
    ),
  ] as const
}
