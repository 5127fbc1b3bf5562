import { beforeEach, describe, expect, it } from 'vitest'
import { endpoints } from '#worker/endpoints'
import { serviceEndpoints } from '#worker/openapi/endpoints'
import { examples } from '#worker/openapi/examples/index'
import { callOperator, newWorkspace, type TestWorkspace } from '../../support/credentials'
import { callService } from '../../support/service'

const all = [...endpoints, ...serviceEndpoints]

describe('the examples of the API description', () => {
  it('exist for every operation, and for no other', () => {
    expect(Object.keys(examples).sort()).toEqual(all.map(({ operationId }) => operationId).sort())
  })

  it.each(all)('match the schema of $operationId', ({ operationId, answer, body, access }) => {
    const example = examples[operationId]!
    for (const [type, value] of Object.entries(example.answer ?? {})) {
      expect(answer.content[type]!.safeParse(value).error, `${operationId} ${type}`).toBeUndefined()
    }
    for (const [type, value] of Object.entries(example.body ?? {})) {
      expect(body!.content[type]!.safeParse(value).error, `${operationId} ${type}`).toBeUndefined()
    }
    if (body?.required) expect(Object.keys(example.body ?? {}), operationId).not.toEqual([])
    if (access.kind !== 'anyone' && answer.content['application/json']) {
      expect(example.answer?.['application/json'], operationId).toBeDefined()
    }
  })
})

/** An example as a request. */
function requestOf(operationId: string, type?: string): { path: string; init: RequestInit } {
  const { method, path } = all.find((endpoint) => endpoint.operationId === operationId)!
  const example = examples[operationId]!
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(example.path![name]!))
  const query = new URLSearchParams(example.query)
  const headers = new Headers(example.headers)
  const value = type === undefined ? undefined : example.body![type]
  const init: RequestInit = { method: method.toUpperCase(), headers }
  if (type === 'multipart/form-data') {
    const form = new FormData()
    form.set('file', new Blob([(value as { file: string }).file]), 'file.csv')
    init.body = form
  } else if (type !== undefined) {
    headers.set('Content-Type', type)
    init.body = typeof value === 'string' ? value : JSON.stringify(value)
  }
  return { path: query.size === 0 ? filled : `${filled}?${query}`, init }
}

/** Every example request: one for each content type of its body. */
const requests = all.flatMap(({ operationId, access }) => {
  const types = Object.keys(examples[operationId]?.body ?? {})
  return (types.length === 0 ? [undefined] : types).map((type) => ({ operationId, access, type }))
})

describe('the example requests', () => {
  let workspace: TestWorkspace

  beforeEach(async () => {
    workspace = await newWorkspace()
  })

  it.each(requests.filter(({ access }) => access.kind === 'scope' && access.scope !== 'workspace:admin'))(
    'of $operationId ($type) are taken by the service',
    async ({ operationId, type }) => {
      const write = requestOf('writeRecords', 'application/json')
      const authorization = { Authorization: `Bearer ${workspace.token}` }
      const send = ({ path, init }: ReturnType<typeof requestOf>) => {
        const headers = new Headers(init.headers)
        for (const [name, value] of Object.entries(authorization)) headers.set(name, value)
        return callService(path, { ...init, headers })
      }
      expect((await send(write)).status).toBe(200)
      const response = await send(requestOf(operationId, type))
      // The service makes these ids, so an example cannot have them.
      const isGivenOut =
        /Document|getWrite|undoWrite|WriteChanges|Upload(?:Content)?$/.test(operationId) &&
        operationId !== 'uploadDocument'
      expect(response.status, await response.text()).toBe(isGivenOut ? 404 : 200)
    },
  )

  // The databases besides `DB` have no tables here: test/worker/platform/databases.test.ts has the list of them.
  const ofOperator = requests.filter(
    ({ access, operationId }) => access.kind === 'operator' && operationId !== 'listDatabases',
  )

  it.each(ofOperator)('of $operationId are accepted by the service', async ({ operationId, type }) => {
    const { path, init } = requestOf(operationId, type)
    const body = init.body === undefined ? undefined : JSON.parse(init.body as string)
    const response = await callOperator(path.replace('/platform/v1', ''), body, init.method as 'GET')
    // Unknown ids are expected, but no error of form.
    expect([200, 202, 400, 404]).toContain(response.status)
    const { errors = [] } = (await response.json()) as { errors?: { code: string }[] }
    expect(errors.filter(({ code }) => code !== 'not_found')).toEqual([])
  })
})
