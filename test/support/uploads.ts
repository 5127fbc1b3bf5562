import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type * as z from 'zod'
import type { Upload, uploadPageSchema } from '#worker/catalog/uploads/schemas'
import { removeOrphans } from '#worker/platform/orphans'
import { MARK_KEY, openBucketAnew } from '#worker/storage/bucket'
import { databaseAccess } from '#worker/storage/database'
import { Meter } from '#worker/storage/meter'
import { type Answer, call, dataOf, type Query, queryString, TestCatalog, type WriteResult } from './catalog'
import { execute, several } from './databases'
import { newMember } from './members'
import { bearer, calling, type Fetch } from './service'

export class TestUploads {
  constructor(
    readonly catalog: TestCatalog,
    readonly token?: string,
    readonly fetch: Fetch = calling(),
  ) {}

  get #token(): string {
    return this.token ?? this.catalog.workspace.token
  }

  send(method: string, path = '', query: Query = {}): Promise<Answer> {
    const base = `/admin/catalogs/v1/${this.catalog.type}/uploads`
    return call(this.#token, method, `${base}${path}${queryString(query)}`, {}, this.fetch)
  }

  async page(query: Query = {}): Promise<z.infer<typeof uploadPageSchema>> {
    return dataOf(await this.send('GET', '', query))
  }

  async list(query: Query = {}): Promise<Upload[]> {
    return (await this.page(query)).items
  }

  async outcomes(query: Query = {}): Promise<string[]> {
    return (await this.list(query)).map(({ outcome }) => outcome)
  }

  async get(uploadId: string): Promise<Upload> {
    return dataOf(await this.send('GET', `/${uploadId}`))
  }

  write(uploadId: string, query: Query = {}): Promise<Answer> {
    return this.send('POST', `/${uploadId}/write`, query)
  }

  async written(uploadId: string, query: Query = {}): Promise<WriteResult> {
    return dataOf(await this.write(uploadId, query))
  }

  content(uploadId: string): Promise<Response> {
    const path = `/admin/catalogs/v1/${this.catalog.type}/uploads/${uploadId}/content`
    return this.fetch(path, { headers: bearer(this.#token) })
  }

  discard(uploadId: string): Promise<Answer> {
    return this.send('DELETE', `/${uploadId}`)
  }
}

/** Adds rejected uploads to every catalog, later than all others. */
export const addRefusals = (count: number, prefix: string, actor: string, from = 9_000_000_000_000) =>
  execute(
    `with recursive n(x) as (select 1 union all select x + 1 from n where x < ?)
      insert into uploads (upload_id, catalog_id, received_at, created_at, created_by, by_program, mode, outcome, message,
        revision, request_id)
      select ? || x, catalog_id, ? + x, 1, ?, 0, 'upsert', 'invalid', 'm', 0, 'r' from n cross join catalogs`,
    ...[count, prefix, from, actor],
  )

/** Adds writes that changed nothing to every catalog, at these times. */
export const addUnchanged = (count: number, actor: string, from: number, everyMs: number) =>
  execute(
    `with recursive n(x) as (select 1 union all select x + 1 from n where x < ?1)
      insert into uploads (upload_id, catalog_id, received_at, written_at, created_at, created_by, by_program, request_id,
        mode, format, size_bytes, outcome, warnings, revision, revision_before, active_before, active_after, first_number,
        total, inserted, updated, unchanged, reactivated, deactivated)
      select printf('00000000-0000-4000-8000-%012x', x), catalog_id, ?3 + ?4 * x, ?3 + ?4 * x, ?3 + ?4 * x, ?2, 0, 'r',
        'upsert', 'json', 1, 'unchanged', 0, revision, revision, 1, 1, 1, 1, 0, 1, 1, 0, 0 from n cross join catalogs`,
    ...[count, actor, from, everyMs],
  )

/** The upload ID and the time of a pending upload. */
export function heldBy(result: { upload_id?: string | undefined; held_until?: string | undefined }) {
  expect(result).toEqual(expect.objectContaining({ upload_id: expect.any(String), held_until: expect.any(String) }))
  return { uploadId: String(result.upload_id), heldUntil: Date.parse(String(result.held_until)) }
}

/** A dry run with a pending upload. */
export const held = async (catalog: TestCatalog, records: unknown, query: Query = {}) =>
  heldBy(await catalog.write(records, { dry_run: true, hold: true, ...query }))

/** A token of a user of the workspace with write permission. */
export const personOf = ({ workspace }: TestCatalog): Promise<string> => newMember(workspace.workspaceId, 'editor')

/** The same catalog, used by such a user. */
export const asPerson = async (catalog: TestCatalog): Promise<TestCatalog> =>
  new TestCatalog({ ...catalog.workspace, token: await personOf(catalog) }, catalog.type)

/** The keys of the objects in the bucket. */
export const objects = async (): Promise<string[]> => {
  const keys = (await env.DOCUMENTS.list()).objects.map(({ key }) => key)
  return keys.filter((key) => key !== MARK_KEY)
}

export const keyOf = (uploadId: string): string => `_uploads/${uploadId}`

/** Looks for orphans as the scheduled run does. */
export function removeAllOrphans(now: Date, bindings: typeof env = several): Promise<number> {
  const access = databaseAccess(bindings, new Meter())
  return removeOrphans(bindings, access, openBucketAnew(bindings, access.control), now)
}

/** Bindings whose bucket has other methods. */
export function withBucket(
  methods: Partial<Record<keyof R2Bucket, (...parameters: never[]) => unknown>>,
  bindings: typeof env = env,
): typeof env {
  const bucket = new Proxy(env.DOCUMENTS, {
    get: (target, name) => {
      const own = methods[name as keyof R2Bucket]
      if (own !== undefined) return own
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { ...bindings, DOCUMENTS: bucket }
}
