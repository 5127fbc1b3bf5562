import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { createApp } from '#worker/app'
import { runScheduled } from '#worker/scheduled'
import { workspaceOfEachTest } from '../../support/credentials'
import { rowsIn, several } from '../../support/databases'
import { DOCS, documentOf, fileForm } from '../../support/documents'
import { bearer, bodyFrom, calling, callService, type Fetch } from '../../support/service'
import { objects, withBucket } from '../../support/uploads'
import {
  type DatabaseCall,
  type Fault,
  failing,
  faultyDatabase,
  lostBefore,
  serviceWith,
} from '../storage/faulty-database'

const HOUR_MS = 3600 * 1000

const FAULTS = [
  'D1_ERROR: D1 DB storage operation exceeded timeout which caused object to be reset: timed out',
  'D1_ERROR: internal error; reference = abcdefgh1234',
  'D1_ERROR: Network connection lost.',
]

const workspace = workspaceOfEachTest()

// Without waiting between attempts.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))

const stores = ({ statements }: DatabaseCall) => statements.some((text) => text.startsWith('insert into "documents"'))

const upload = (call: Fetch, key?: string) => {
  const headers = { ...bearer(workspace.token), ...(key === undefined ? {} : { 'Idempotency-Key': key }) }
  return call(DOCS, { method: 'POST', headers, body: fileForm('letter') })
}

const get = (path: string) => callService(`${DOCS}/${path}`, { headers: bearer(workspace.token) })

const runIn = (hours: number) => runScheduled(several, new Date(Date.now() + hours * HOUR_MS))

/** A database that fails each attempt to store a document, and executes it on request. */
function late(message: string) {
  const arriving: (() => Promise<unknown>)[] = []
  const fault: Fault = (call) => {
    if (!stores(call)) return call.run()
    arriving.push(call.run)
    return lostBefore(message)()
  }
  const arrive = async () => {
    for (const run of arriving) await run().catch(() => undefined)
  }
  return { call: serviceWith(fault), arrive }
}

/** The ID in an error response. */
async function unknownId(response: Response): Promise<string> {
  const { message, errors } = await bodyFrom<{ message: string; errors: { document_id: string }[] }>(response, 503)
  const [error] = errors
  expect(errors).toEqual([{ code: 'unknown_outcome', document_id: expect.any(String) }])
  expect(message).toContain(`In a minute, GET ${DOCS}/${error!.document_id}`)
  return error!.document_id
}

describe('an upload with an unknown outcome in the database', () => {
  it.each(FAULTS)('keeps its bytes, because the row may still arrive: "%s"', async (message) => {
    const { call, arrive } = late(message)
    const id = await unknownId(await upload(call, 'k1'))
    expect((await get(id)).status).toBe(404)
    await arrive()
    expect(await (await get(`${id}/content`)).text()).toBe('letter')
    const again = await upload(callService, 'k1')
    expect([again.headers.get('Idempotency-Replayed'), (await documentOf(again)).document_id]).toEqual(['true', id])
    await runIn(2)
    expect([await rowsIn('DB', 'document_removals'), await objects()]).toEqual([0, [expect.stringContaining(id)]])
  })

  it('loses its bytes after an hour if no row has arrived', async () => {
    await unknownId(await upload(late(FAULTS[0]!).call))
    await runIn(0.9)
    expect(await objects()).toHaveLength(1)
    await runIn(1.1)
    expect([await rowsIn('DB', 'document_removals'), await objects()]).toEqual([0, []])
  })

  it('stores one document if it is repeated with its key, even if the first attempt arrives later', async () => {
    const { call, arrive } = late(FAULTS[1]!)
    const first = await unknownId(await upload(call, 'k1'))
    const { document_id: id } = await documentOf(await upload(callService, 'k1'))
    await arrive()
    expect([(await get(first)).status, (await get(id)).status]).toEqual([404, 200])
    await runIn(2)
    expect(await objects()).toEqual([expect.stringContaining(id)])
  })

  it('stays unknown if a later attempt is rejected', async () => {
    const refused = () => lostBefore('D1_ERROR: no such table: SQLITE_ERROR')()
    const id = await unknownId(await upload(serviceWith(failing([lostBefore(), refused], stores))))
    expect(await objects()).toEqual([expect.stringContaining(id)])
  })
})

describe('an upload that the database rejects', () => {
  const refusing = (bindings = env) => {
    const fault = failing([lostBefore('D1_ERROR: no such table: SQLITE_ERROR')], stores)
    return calling(createApp(), { ...bindings, DB: faultyDatabase(fault) })
  }

  it('leaves no bytes', async () => {
    expect((await upload(refusing())).status).toBe(500)
    expect([await rowsIn('DB', 'document_removals'), await objects()]).toEqual([0, []])
  })

  it('leaves bytes that cannot be deleted immediately for an hour', async () => {
    const fault = { delete: () => Promise.reject(new Error('delete: we encountered an internal error')) }
    expect((await upload(refusing(withBucket(fault)))).status).toBe(500)
    expect([await rowsIn('DB', 'document_removals'), (await objects()).length]).toEqual([1, 1])
    await runIn(1.1)
    expect([await rowsIn('DB', 'document_removals'), await objects()]).toEqual([0, []])
  })
})
