import { expect, it } from 'vitest'
import { createApiKey, createClient, newWorkspace } from '../../support/credentials'
import { newMember } from '../../support/members'
import { describedData } from '../../support/responses'
import { callAs, newAdmin, newOperator, WORKSPACE } from './administrators'

const settings = (percent: unknown) => ({ confirm_deactivation_percent: percent })

it('the settings of a workspace are the usual ones until an admin changes them, and of the own one alone', async () => {
  const [one, other] = [await newAdmin(), await newAdmin()]
  expect(await one.dataOf('/settings')).toEqual(settings(10))
  expect(await one.dataOf('/settings', settings(0))).toEqual(settings(0))
  expect(await one.dataOf('/settings')).toEqual(settings(0))
  expect(await other.dataOf('/settings')).toEqual(settings(10))
})

it('everybody who reads catalogs reads the names of the programs of the workspace, past ones too, and no others', async () => {
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
