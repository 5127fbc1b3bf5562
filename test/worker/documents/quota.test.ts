import { describe, expect, it } from 'vitest'
import { runScheduled } from '#worker/scheduled'
import { newWorkspace, quotaOf, workspaceOfEachTest } from '../../support/credentials'
import { single } from '../../support/databases'
import { DOCS, documentOf, uploadTo } from '../../support/documents'
import { newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { bodyFrom, callService, jsonBody } from '../../support/service'
import { objects } from '../../support/uploads'

const workspace = workspaceOfEachTest()

const bearer = (token = workspace.token) => ({ Authorization: `Bearer ${token}` })

const upload = (content?: string) => uploadTo(bearer(), content)

const register = (number: number) =>
  callService('/registration/v1/init', {
    method: 'POST',
    ...jsonBody({ mobile_number: `+9198000${10000 + number}` }, bearer()),
  })

const remove = (id: string) => callService(`${DOCS}/${id}`, { method: 'DELETE', headers: bearer() })

const quota = (change?: object, of = workspace) => quotaOf(of, change)

async function refusedBy(response: Response): Promise<unknown> {
  const { errors, message } = await bodyFrom<{ errors: unknown[]; message: string }>(response, 409)
  expect(message).toContain('Nothing was written')
  expect(errors).toHaveLength(1)
  return errors[0]
}

const statusOf = async (response: Promise<Response>): Promise<number> => (await response).status

describe('the quota of documents', () => {
  it('counts documents and their bytes at upload and at deletion', async () => {
    const first = await documentOf(await upload('12345'))
    await documentOf(await upload('123'))
    expect(await quota()).toMatchObject({ documents_used: 2, document_bytes_used: 8 })
    expect((await remove(first.document_id)).status).toBe(200)
    expect(await quota()).toMatchObject({ documents_used: 1, document_bytes_used: 3 })
  })

  it('rejects an upload that exceeds it, and stores neither a row nor bytes', async () => {
    await quota({ documents: 1 })
    const { document_id: first } = await documentOf(await upload('123456'))
    expect(await refusedBy(await upload())).toEqual({ code: 'quota', quota: 'documents', limit: 1, used: 1, needed: 2 })
    expect(await objects()).toEqual([`${workspace.workspaceId}/${first}`])
    await quota({ documents: 2, document_bytes: 10 })
    const bytes = { code: 'quota', quota: 'document_bytes', limit: 10, used: 6, needed: 11 }
    expect(await refusedBy(await upload('12345'))).toEqual(bytes)
    expect(await statusOf(upload('1234'))).toBe(200)
    expect(await quota()).toMatchObject({ documents_used: 2, document_bytes_used: 10 })
    const other = await newWorkspace()
    expect(await statusOf(uploadTo(bearer(other.token)))).toBe(200)
    expect(await quota(undefined, other)).toMatchObject({ documents_used: 1 })
  })

  it('also limits simultaneous uploads, and those of a partner session', async () => {
    await quota({ documents: 3 })
    const partner = await newPartner({ workspaceId: workspace.workspaceId })
    const session = bearer(await sessionToken(await partnerTokenOf(partner)))
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => statusOf(uploadTo(n % 2 === 0 ? session : bearer()))),
    )
    expect(answers.sort()).toEqual([200, 200, 200, 409, 409, 409, 409, 409])
    expect(await quota()).toMatchObject({ documents_used: 3 })
  })
})

describe('the quota of registrations', () => {
  it('rejects a registration that exceeds it, but not a second request for the same number', async () => {
    await quota({ registrations: 2 })
    expect([await statusOf(register(1)), await statusOf(register(2))]).toEqual([200, 200])
    const refusal = { code: 'quota', quota: 'registrations', limit: 2, used: 2, needed: 3 }
    expect(await refusedBy(await register(3))).toEqual(refusal)
    expect(await statusOf(register(1))).toBe(200)
    expect(await quota()).toMatchObject({ registrations_used: 2 })
    // There is room again when registrations have expired and the scheduled run has deleted them.
    await runScheduled(single, new Date(Date.now() + 601_000))
    expect(await quota()).toMatchObject({ registrations_used: 0 })
    expect(await statusOf(register(3))).toBe(200)
  })
})
