import { expect, it } from 'vitest'
import { createApiKey, createClient, newWorkspace } from '../../support/credentials'
import { newMember } from '../../support/members'
import { describedData } from '../../support/responses'
import { callAs, newOperator, WORKSPACE } from './administrators'

it("every reader of catalogs can read the names of the workspace's clients", async () => {
  const { workspaceId, clientId } = await newWorkspace()
  const nightly = await createClient('Nightly sync')
  const { api_key_id } = await createApiKey(workspaceId, nightly.client_id)
  await createApiKey(workspaceId, nightly.client_id)
  await (await newOperator(workspaceId)).call(`/api-keys/${api_key_id}`, undefined, 'DELETE')
  await newWorkspace()
  const viewer = await newMember(workspaceId, 'viewer')
  expect(await describedData('GET', `${WORKSPACE}/programs`, await callAs(viewer, '/programs'))).toEqual({
    items: [
      { client_id: nightly.client_id, name: 'Nightly sync' },
      { client_id: clientId, name: 'a client' },
    ],
  })
})
