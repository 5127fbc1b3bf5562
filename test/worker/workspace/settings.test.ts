import { describe, expect, it } from 'vitest'
import { newWorkspace } from '../../support/credentials'
import { addMember, memberToken, newMember } from '../../support/members'
import { newPartner, partnerTokenOf, sessionToken } from '../../support/partners'
import { expectFieldError } from '../../support/responses'
import { callService } from '../../support/service'
import { callAs, newAdmin, WORKSPACE } from './administrators'

const PATH = '/settings'
const settings = (percent: unknown) => ({ confirm_deactivation_percent: percent })

describe('the settings of a workspace', () => {
  it('are the usual ones until an admin changes them', async () => {
    const admin = await newAdmin()
    expect(await admin.dataOf(PATH)).toEqual(settings(10))
    expect(await admin.dataOf(PATH, settings(0))).toEqual(settings(0))
    expect(await admin.dataOf(PATH)).toEqual(settings(0))
  })

  it('are those of the own workspace alone', async () => {
    const [one, other] = [await newAdmin(), await newAdmin()]
    await one.dataOf(PATH, settings(25))
    expect(await other.dataOf(PATH)).toEqual(settings(10))
  })

  it('are read by everybody who reads catalogs, and changed by admins alone', async () => {
    const { workspaceId, token } = await newWorkspace()
    const viewer = await newMember(workspaceId, 'viewer')
    const editor = await addMember(workspaceId, 'editor', 'editor@clinic.example')
    for (const reader of [viewer, token, await memberToken(workspaceId, editor, 'editor')]) {
      expect((await callAs(reader, PATH)).status).toBe(200)
      expect((await callAs(reader, PATH, settings(50))).status).toBe(403)
    }
    // A token of more than the role that the member has now.
    const promoted = await memberToken(workspaceId, editor, 'admin')
    expect((await callAs(promoted, PATH, settings(50))).status).toBe(403)
    expect(await (await callAs(viewer, PATH)).json()).toMatchObject({ data: settings(10) })
  })

  it('are closed to partners and to callers without a token', async () => {
    const { workspaceId } = await newWorkspace()
    const partner = await partnerTokenOf(await newPartner({ workspaceId }))
    expect((await callService(WORKSPACE + PATH)).status).toBe(401)
    expect((await callService(WORKSPACE + PATH, { headers: { 'X-Auth-Token': partner } })).status).toBe(401)
    expect((await callAs(await sessionToken(partner), PATH)).status).toBe(401)
  })

  it.each([
    [undefined, 'is required'],
    ['10', 'must be a whole number'],
    [1.5, 'must be a whole number'],
    [-1, 'must not be less than 0'],
    [51, 'must not be more than 50'],
  ])('answer 400 to the share %j', async (percent, msg) => {
    const response = await (await newAdmin()).call(PATH, settings(percent))
    await expectFieldError(response, 'confirm_deactivation_percent', msg)
  })
})
