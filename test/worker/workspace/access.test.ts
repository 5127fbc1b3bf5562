import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { callOperator, createWorkspace, newWorkspace } from '../../support/credentials'
import { addMember } from '../../support/members'
import { newPartner } from '../../support/partners'
import { bearer, callService, jsonBody } from '../../support/service'
import { callAs, newAdmin, WORKSPACE } from './administrators'

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
