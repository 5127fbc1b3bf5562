import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { DOCUMENT_KEY_DAYS } from '#shared/limits'
import { runScheduled } from '#worker/scheduled'
import { workspaceOfEachTest } from '../../support/credentials'
import { execute, rowsIn } from '../../support/databases'
import { DOCS, documentOf, fileForm } from '../../support/documents'
import { newPartner, partnerTokenOf } from '../../support/partners'
import { bearer, callService } from '../../support/service'
import { objects } from '../../support/uploads'
import { callEncrypted, decrypted, newSharedKey } from '../encryption/support'
import { failing, lostAfter, serviceWith } from '../storage/faulty-database'

const workspace = workspaceOfEachTest()

const upload = (
  content: string,
  { query = '', headers = bearer(workspace.token) as Record<string, string>, call = callService, key = 'k1' } = {},
) => call(DOCS + query, { method: 'POST', headers: { ...headers, 'Idempotency-Key': key }, body: fileForm(content) })

const idOf = async (response: Response) => (await documentOf(response)).document_id

describe('an upload with an Idempotency-Key', () => {
  it('returns the first document if it is repeated, and stores nothing', async () => {
    const inserts = ({ statements }: { statements: string[] }) =>
      statements.some((text) => text.includes('"documents"'))
    const call = serviceWith(failing([lostAfter()], inserts))
    const first = await upload('photo', { query: '?task=PII&dt=Photo', call })
    expect(first.headers.has('Idempotency-Replayed')).toBe(false)
    const again = await upload('photo', { query: '?dt=Photo&task=pii' })
    expect(again.headers.get('Idempotency-Replayed')).toBe('true')
    const document = await documentOf(first)
    expect(await documentOf(again)).toEqual(document)
    const key = await newSharedKey(workspace.workspaceId)
    const [path, body] = [`${DOCS}?dt=Photo&task=pii`, { file: btoa('photo') }]
    const answer = await callEncrypted(path, workspace.token, body, key, { 'Idempotency-Key': 'k1' })
    expect(answer.headers.get('Idempotency-Replayed')).toBe('true')
    expect(await decrypted(answer, key)).toMatchObject({ data: { document_id: document.document_id } })
    expect(await objects()).toHaveLength(1)
  })

  it('is rejected with other bytes, tasks or type, or with a key that is too long', async () => {
    await upload('photo', { query: '?task=pii' })
    for (const [content, query] of [
      ['another photo', '?task=pii'],
      ['photo', '?task=ocr'],
      ['photo', '?task=pii&dt=Photo'],
    ] as const)
      expect((await upload(content, { query })).status).toBe(422)
    expect((await upload('photo', { key: 'x'.repeat(256) })).status).toBe(400)
    expect(await objects()).toHaveLength(1)
  })

  it('is gone after its document was deleted', async () => {
    const path = `${DOCS}/${await idOf(await upload('photo'))}`
    await callService(path, { method: 'DELETE', headers: bearer(workspace.token) })
    expect((await upload('photo')).status).toBe(410)
    expect(await objects()).toEqual([])
  })

  it('is stored once if it is sent many times at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => upload('photo')))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(new Set(await Promise.all(answers.map(idOf))).size).toBe(1)
    expect(await objects()).toHaveLength(1)
    expect(await rowsIn('DB', 'document_keys')).toBe(1)
  })

  it('is forgotten after 30 days, and its row is deleted', async () => {
    const first = await idOf(await upload('photo'))
    const age = DOCUMENT_KEY_DAYS * 24 * 3600 * 1000
    await execute('update document_keys set created_at = created_at - ?', age)
    expect(await idOf(await upload('photo'))).not.toBe(first)
    expect(await rowsIn('DB', 'document_keys')).toBe(1)
    await execute('update document_keys set created_at = created_at - ?', age)
    await runScheduled(env, new Date())
    expect(await rowsIn('DB', 'document_keys')).toBe(0)
  })
})

it('a key belongs to one user of a partner', async () => {
  const partner = await newPartner({ workspaceId: workspace.workspaceId })
  const asUser = async (sub: string) =>
    idOf(await upload('photo', { headers: { 'X-Auth-Token': await partnerTokenOf(partner, { claims: { sub } }) } }))
  const [first, again, other] = [await asUser('a'), await asUser('a'), await asUser('b')]
  expect(again).toBe(first)
  expect(other).not.toBe(first)
  expect(await idOf(await upload('photo'))).not.toBe(first)
})
