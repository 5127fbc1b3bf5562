import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { sha256Hex } from '#worker/crypto/hash'
import { newWorkspace, workspaceOfEachTest } from '../../support/credentials'
import { rowsIn } from '../../support/databases'
import { DOCS, fileForm as formOf, documentOf as stored, uploadTo } from '../../support/documents'
import { callAsPartner, newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bodyFrom, calling, callService } from '../../support/service'
import { objects, withBucket } from '../../support/uploads'
import { callEncrypted, decrypted, newSharedKey } from '../encryption/support'
import { failing, lostAfter, lostBefore, serviceWith } from '../storage/faulty-database'

const PDF = '%PDF-1.7\n1 0 obj\n'

const workspace = workspaceOfEachTest()

const bearer = (token = workspace.token) => ({ Authorization: `Bearer ${token}` })

const upload = (body: BodyInit = formOf(PDF), query = '', headers: Record<string, string> = bearer()) =>
  callService(`${DOCS}${query}`, { method: 'POST', headers, body })

const get = (path: string, token?: string) => callService(`${DOCS}/${path}`, { headers: bearer(token) })

describe('POST /mr/api/v2/docs', () => {
  it('stores a file and returns its metadata, as does a later read', async () => {
    const before = Date.now()
    const document = await stored(await upload(formOf(PDF), '?task=PII&task=Srp_2&dt=Lab+report'))
    expect(document).toEqual({
      document_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      size_bytes: PDF.length,
      content_type: 'application/pdf',
      sha256: await sha256Hex(PDF),
      tasks: ['pii', 'srp_2'],
      document_type: 'Lab report',
      file_name: 'report.pdf',
      created_at: expect.any(String),
    })
    expect(Date.parse(document.created_at)).toBeGreaterThanOrEqual(before)
    expect(await objects()).toEqual([`${workspace.workspaceId}/${document.document_id}`])
    const row = await env.DB.prepare('select document_type, created_by from documents').first()
    expect(row).toEqual({ document_type: 'Lab report', created_by: workspace.clientId })
    for (const end of ['', '/']) expect(await stored(await get(`${document.document_id}${end}`))).toEqual(document)
  })

  it('returns the file with its name as an attachment that no browser runs', async () => {
    const document = await stored(await upload(formOf(PDF, 'file', 'Arztbrief \u202eMüller.pdf')))
    expect(document.file_name).toBe('Arztbrief Müller.pdf')
    const response = await get(`${document.document_id}/content`)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-length': String(PDF.length),
      'content-disposition': `attachment; filename="Arztbrief M_ller.pdf"; filename*=UTF-8''Arztbrief%20M%C3%BCller.pdf`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    })
    expect(await response.text()).toBe(PDF)
  })

  it('rejects a misspelled parameter', async () => {
    for (const [field, meant] of [
      ['tasks', 'task'],
      ['doc_type', 'dt'],
    ] as const) {
      const msg = expect.stringContaining(`did you mean ${meant}?`)
      const answer = await bodyFrom(upload(formOf(PDF), `?${field}=PII&language=de`), 400)
      expect(answer).toMatchObject({ errors: [{ field, code: 'unknown_parameter', msg }] })
    }
    const form = formOf(PDF)
    form.append('task', 'pii')
    const key = await newSharedKey(workspace.workspaceId)
    const encrypted = await callEncrypted(DOCS, workspace.token, { file: btoa(PDF), document_type: 'x' }, key)
    const answers = [await bodyFrom(await upload(form), 400), await decrypted(encrypted, key)]
    const errors = ['task', 'document_type'].map((field) => ({ errors: [{ field, code: 'unknown_parameter' }] }))
    expect(answers).toMatchObject(errors)
    expect(await objects()).toEqual([])
  })

  it('rejects an encrypted body without a file', async () => {
    const key = await newSharedKey(workspace.workspaceId)
    for (const [payload, message] of [
      ['{}', 'file is required'],
      ['[{"file":"AAAA"}]', 'must be a JSON object'],
      ['{"file":"*"}', 'base64'],
      ['{"file":["AAAA"]}', 'file must be a string'],
    ] as const) {
      const response = await callEncrypted(DOCS, workspace.token, payload, key)
      expect(response.status, payload).toBe(400)
      expect((await decrypted(response, key)).message).toContain(message)
    }
    expect(await objects()).toEqual([])
  })

  it('accepts up to twenty tasks of 32 characters, and a type of 64 code points', async () => {
    const tasks = Array.from({ length: 20 }, (_, n) => `task=${`t${n}`.padEnd(32, 'a')}`).join('&')
    const type = encodeURIComponent('😀'.repeat(64))
    expect((await stored(await upload(formOf(PDF), `?${tasks}&dt=${type}`))).tasks).toHaveLength(20)
    const { errors } = await bodyFrom<{ errors: object[] }>(upload(formOf(PDF), `?${tasks}&task=one_more`), 400)
    expect(errors).toMatchObject([{ field: 'task', code: 'too_many', msg: 'may be sent 20 times at most' }])
    for (const query of ['task=', 'task=a-b', `task=${'a'.repeat(33)}`, `dt=${'x'.repeat(65)}`, 'dt=a&dt=b']) {
      const refused = await bodyFrom<{ errors: { field: string }[] }>(upload(formOf(PDF), `?${query}`), 400)
      expect(refused.errors[0]!.field).toBe(query.split('=')[0])
    }
    expect(await objects()).toHaveLength(1)
  })

  it('rejects anything but a form with one file', async () => {
    const two = formOf(PDF)
    two.append('file', new File(['x'], 'x'))
    for (const [status, body, type] of [
      [400, formOf(PDF, 'document')],
      [400, formOf('')],
      [400, two],
      [400, 'nothing', 'multipart/form-data; boundary=x'],
      [415, PDF, 'application/pdf'],
    ] as const)
      expect((await upload(body, '', { ...bearer(), ...(type && { 'Content-Type': type }) })).status).toBe(status)
    expect(await objects()).toEqual([])
  })

  it('keeps the bytes if the metadata was stored although the database reports a timeout', async () => {
    const timeout = 'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset'
    const init = { method: 'POST', headers: bearer(), body: formOf(PDF) }
    const answer = await serviceWith(failing([lostAfter(timeout)], ({ writes }) => writes))(DOCS, init)
    const { document_id } = await stored(answer)
    expect(await (await get(`${document_id}/content`)).text()).toBe(PDF)
  })

  it('deletes the bytes again if the metadata cannot be stored', async () => {
    const fault = failing([lostBefore('refused by the test: SQLITE_ERROR')], ({ writes }) => writes)
    expect((await uploadTo(bearer(), PDF, serviceWith(fault))).status).toBe(500)
    expect(await objects()).toEqual([])
    expect(await rowsIn('DB', 'documents')).toBe(0)
  })

  it('stores no metadata if the bytes cannot be stored', async () => {
    const down = () => Promise.reject(new Error('put: we encountered an internal error'))
    const call = calling(undefined, withBucket({ put: down }))
    expect((await uploadTo(bearer(), PDF, call)).status).toBe(503)
    expect(await rowsIn('DB', 'documents')).toBe(0)
  })
})

describe('GET /mr/api/v2/docs/{document_id}', () => {
  it("returns 404 for an unknown document and for another workspace's", async () => {
    const { document_id } = await stored(await upload())
    const other = await newWorkspace()
    for (const suffix of ['', '/content']) {
      for (const [id, token] of [
        [crypto.randomUUID(), workspace.token],
        ['..', workspace.token],
        [`%2e%2e%2f${workspace.workspaceId}%2f${document_id}`, other.token],
        [document_id, other.token],
      ] as const)
        expect((await get(`${id}${suffix}`, token)).status).toBe(404)
      expect((await get(`${document_id}${suffix}`)).status).toBe(200)
    }
  })

  it('returns 404 if the bytes are missing', async () => {
    const { document_id } = await stored(await upload())
    await env.DOCUMENTS.delete(`${workspace.workspaceId}/${document_id}`)
    expect((await get(`${document_id}/content`)).status).toBe(404)
  })
})

it('a partner can read and delete only uploads of the same credential and user', async () => {
  const { workspaceId } = workspace
  const [partner, other] = [await newPartner({ workspaceId }), await newPartner({ workspaceId })]
  const tokenOf = (of = partner, sub = 'Asha') => partnerTokenOf(of, { claims: { sub } })
  const session = await sessionToken(await tokenOf())
  const uploaded = await callAsPartner(await tokenOf(), DOCS, { method: 'POST', body: formOf(PDF) })
  const own = [uploaded, await upload(formOf(PDF), '', bearer(session))]
  const strangers = [await tokenOf(partner, 'asha'), await tokenOf(other)]
  for (const document of own) {
    const { document_id: id } = await stored(document)
    for (const path of [id, `${id}/content`]) {
      expect((await callAsPartner(await tokenOf(), `${DOCS}/${path}`)).status).toBe(200)
      for (const token of [session, workspace.token]) expect((await get(path, token)).status).toBe(200)
      for (const stranger of strangers) {
        expect((await callAsPartner(stranger, `${DOCS}/${path}`)).status).toBe(404)
        expect((await get(path, await sessionToken(stranger))).status).toBe(404)
      }
    }
    for (const stranger of strangers)
      expect((await callAsPartner(stranger, `${DOCS}/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await callAsPartner(await tokenOf(), `${DOCS}/${id}`, { method: 'DELETE' })).status).toBe(200)
    expect((await get(id)).status).toBe(404)
  }
  const { document_id: ofClient } = await stored(await upload())
  for (const method of ['GET', 'DELETE'])
    expect((await callAsPartner(await tokenOf(), `${DOCS}/${ofClient}`, { method })).status).toBe(404)
  const rows = await env.DB.prepare('select * from documents').all()
  expect(JSON.stringify(rows.results)).not.toContain('Asha')
})
