import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { callOperator, createWorkspace, newWorkspace } from '../../support/credentials'
import { addMember } from '../../support/members'
import { newPartner } from '../../support/partners'
import { bearer, bodyFrom, callService, jsonBody } from '../../support/service'
import { serviceWith } from '../storage/faulty-database'
import { callAs, callingAs, newAdmin, WORKSPACE } from './administrators'

describe('an admin', () => {
  it('sees nothing of another workspace', async () => {
    const { token } = await newAdmin()
    const { workspaceId } = await newWorkspace()
    await newPartner({ workspaceId })
    await callOperator(`/workspaces/${workspaceId}/encryption-keys`, {})
    await addMember(workspaceId, 'admin', 'root@clinic.example')
    for (const path of ['/api-keys', '/partner-credentials', '/encryption-keys']) {
      expect(await (await callAs(token, path)).json()).toMatchObject({ data: { items: [] } })
    }
    const list = await (await callAs(token, '/members')).json<{ data: { items: object[] } }>()
    expect(list.data.items).toMatchObject([{ email: 'admin@clinic.example' }])
  })

  it('cannot name a workspace in the query, the body or a header', async () => {
    const { token, workspaceId } = await newAdmin()
    const other = await createWorkspace()
    const named = await callService(`${WORKSPACE}/members?workspace_id=${other}`, {
      headers: bearer(token),
    })
    expect(named.status).toBe(400)
    const response = await callService(`${WORKSPACE}/members`, {
      method: 'POST',
      ...jsonBody(
        { email: 'asha@clinic.example', role: 'admin', workspace_id: other, workspaceId: other },
        { ...bearer(token), 'X-Workspace-Id': other },
      ),
    })
    expect(response.status).toBe(200)
    const { results } = await env.DB.prepare('select distinct workspace_id from members').all()
    expect(results).toEqual([{ workspace_id: workspaceId }])
  })
})

it('an admin whose request takes too long gets 504, which does not say that nothing was written', async () => {
  const admin = await newAdmin()
  // From here on the admin is in the cache.
  await admin.call('/members')
  const { promise: silence, reject: end } = Promise.withResolvers<never>()
  const call = serviceWith(() => silence, { deadlineMs: 50 })
  const response = await callingAs(admin.token, call)('/encryption-keys', {})
  expect((await bodyFrom<{ message: string }>(response, 504)).message).toContain(
    'It is not known whether the write was carried out',
  )
  end(new Error('the end of the test'))
})
