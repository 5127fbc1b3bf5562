import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { moveWorkspace } from '#worker/platform/move/move'
import { Meter } from '#worker/storage/meter'
import { newWorkspace } from '../../../support/credentials'
import { moveToTheEnd, several } from '../../../support/databases'
import { bearer, calling } from '../../../support/service'
import { Process } from './model'

/** The documents of a workspace, as a caller knows them. */
class Documents {
  readonly stored = new Set<string>()
  readonly deleted = new Set<string>()
  readonly #headers: Record<string, string>
  readonly #call = calling(undefined, several)

  constructor(token: string) {
    this.#headers = bearer(token)
  }

  async upload(): Promise<number> {
    const body = new FormData()
    body.append('file', new File(['bytes'], 'a.bin'))
    const answer = await this.#call('/mr/api/v2/docs', { method: 'POST', headers: this.#headers, body })
    if (answer.status === 200)
      this.stored.add((await answer.json<{ data: { document_id: string } }>()).data.document_id)
    return answer.status
  }

  async deleteOne(): Promise<number> {
    const [id] = this.stored
    const answer = await this.#request(id ?? '', 'DELETE')
    if (answer.status === 200 && id) {
      this.stored.delete(id)
      this.deleted.add(id)
    }
    return answer.status
  }

  /** Downloads each: what is stored is there, what was deleted is not. */
  async check(): Promise<void> {
    for (const id of this.stored) expect((await this.#request(`${id}/content`)).status, id).toBe(200)
    for (const id of this.deleted) expect((await this.#request(id)).status, id).toBe(404)
  }

  #request(path: string, method = 'GET'): Promise<Response> {
    return this.#call(`/mr/api/v2/docs/${path}`, { method, headers: this.#headers })
  }
}

it('documents: none that was acknowledged is lost by a move, and none that was deleted comes back', async () => {
  const { workspaceId, token } = await newWorkspace()
  const documents = new Documents(token)
  for (let n = 0; n < 5; n++) await documents.upload()
  const statuses = new Set<number>()
  for (const target of ['DB_2', 'DB'] as const) {
    const mover = new Process((bindings) => moveWorkspace(bindings, workspaceId, target, new Meter()))
    for (let call = await mover.next(); call; call = await mover.next()) {
      if (call.writes) {
        // The newest is deleted too, whose place in the table is free again.
        statuses
          .add(await documents.upload())
          .add(await documents.deleteOne())
          .add(await documents.upload())
      }
      await mover.step()
    }
    await documents.check()
  }
  expect([...statuses].sort()).toEqual([200, 503])
  await moveToTheEnd(workspaceId, 'DB')
  await documents.check()
  const rows = await env.DB.prepare('select document_id from documents').all<{ document_id: string }>()
  expect(rows.results.map((row) => row.document_id).sort()).toEqual([...documents.stored].sort())
  const quota = 'select documents_used as n, document_bytes_used as bytes from workspace_quotas'
  const used = { n: documents.stored.size, bytes: 5 * documents.stored.size }
  expect(await env.DB.prepare(quota).first()).toEqual(used)
})
