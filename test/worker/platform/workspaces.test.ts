import { describe, expect, it } from 'vitest'
import type { Workspace } from '#worker/platform/schemas'
import { callOperator } from '../../support/credentials'
import { expectFieldError } from '../../support/responses'
import { bodyFrom } from '../../support/service'
import { dataOf } from './responses'

const PATH = '/workspaces'
const ID_MESSAGE = 'must have 1 to 64 of the letters A to Z, digits and . _ - and start with a letter or digit'

describe('POST /platform/v1/workspaces', () => {
  it('creates a workspace with a new id', async () => {
    const before = Date.now()
    const workspace = await dataOf<Workspace>(PATH, { name: '💊'.repeat(200) })
    expect(workspace).toMatchObject({ name: '💊'.repeat(200), workspace_id: expect.stringMatching(/^ws_/) })
    const createdAt = Date.parse(workspace.created_at)
    expect(createdAt).toBeGreaterThanOrEqual(before)
    expect(createdAt).toBeLessThanOrEqual(Date.now())
  })

  it('answers 409 for an id that is taken and does not change the workspace', async () => {
    for (const id of ['provider', '7', 'A.b_c-9', 'x'.repeat(64)])
      expect(await dataOf(PATH, { name: 'first', workspace_id: id })).toMatchObject({ workspace_id: id })
    expect(await bodyFrom(callOperator(PATH, { name: 'second', workspace_id: '7' }), 409)).toEqual({
      success: false,
      message: 'The workspace id 7 is taken. Choose another one.',
    })
    const { items } = await dataOf<{ items: Workspace[] }>(PATH)
    expect(items.map(({ name }) => name)).toEqual(Array(4).fill('first'))
  })

  it('lets exactly one of simultaneous requests have an id', async () => {
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => callOperator(PATH, { name: 'a name', workspace_id: 'wanted' })),
    )
    expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(409)])
  })

  it('answers 400 for a name or an id that is none', async () => {
    for (const [name, msg] of [
      [undefined, 'is required'],
      ['', 'is required'],
      [' \t', 'is required'],
      [null, 'must be a string'],
      [7, 'must be a string'],
      ['💊'.repeat(201), 'must have at most 200 characters'],
      ['a\0b', 'must be valid Unicode without U+0000'],
      ['a\ud800', 'must be valid Unicode without U+0000'],
    ] as const) {
      await expectFieldError(await callOperator(PATH, { name }), 'name', msg)
    }
    for (const id of ['', '-a', '.', 'a b', 'a/b', 'ä', 'a\n', 'x'.repeat(65)]) {
      await expectFieldError(await callOperator(PATH, { name: 'a name', workspace_id: id }), 'workspace_id', ID_MESSAGE)
    }
  })
})

it('GET /platform/v1/workspaces lists the workspaces, oldest first', async () => {
  const created = []
  for (const name of ['one', 'two', 'three']) created.push(await dataOf<Workspace>(PATH, { name }))
  expect(await dataOf(PATH)).toMatchObject({ items: created, total: created.length })
})
