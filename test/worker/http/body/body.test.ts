import { gzipSync, type ZlibOptions } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { MAX_BODY_BYTES, MAX_DISCARDED_BYTES, MAX_SMALL_BODY_BYTES } from '#shared/limits'
import { type Answer, call, catalogOfEachTest, DATASETS } from '../../../support/catalog'
import { tokenWithout } from '../../../support/credentials'
import { callService } from '../../../support/service'

const catalog = catalogOfEachTest()

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))

/** A valid body of exactly this many bytes. */
const bodyOf = (size: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(size).fill(0x20)
  bytes.set(bytesOf(JSON.stringify([catalog.record('a')])))
  return bytes
}

const CHUNK_BYTES = 1024 * 1024

/** Bytes without a declared length. */
const chunked = (bytes: Uint8Array): ReadableStream<Uint8Array> => {
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at < bytes.byteLength) controller.enqueue(bytes.slice(at, at + CHUNK_BYTES))
      else controller.close()
      at += CHUNK_BYTES
    },
  })
}

const gzip = (bytes: Uint8Array, options?: ZlibOptions): Uint8Array<ArrayBuffer> =>
  new Uint8Array(gzipSync(bytes, options))

const send = (body: BodyInit, headers: Record<string, string> = {}): Promise<Answer> =>
  catalog.send('POST', '/', {}, { body, headers: { 'Content-Type': 'application/json', ...headers } })

const gzipped = (body: BodyInit, encoding = 'gzip') => send(body, { 'Content-Encoding': encoding })

describe('a body of 10 MB', () => {
  it('has the maximum size', async () => {
    expect((await send(chunked(bodyOf(MAX_BODY_BYTES)))).status).toBe(200)
    const larger = bodyOf(MAX_BODY_BYTES + 1)
    for (const path of ['/', '/search-status/']) {
      for (const body of [larger, chunked(larger)]) {
        const init = { body, headers: { 'Content-Type': 'application/json' } }
        const { message } = await catalog.refused(413, catalog.send('POST', path, {}, init))
        expect(message).toContain(path === '/' ? '10 MB' : '16 KB')
      }
    }
    expect(await catalog.ids()).toEqual(['a'])
  })

  it('is read to its end if it is rejected, up to a limit', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += CHUNK_BYTES
        controller.enqueue(new Uint8Array(CHUNK_BYTES))
      },
    })
    expect((await send(endless)).status).toBe(413)
    expect(sent).toBeGreaterThan(MAX_DISCARDED_BYTES)
    expect(sent).toBeLessThan(MAX_DISCARDED_BYTES + 4 * CHUNK_BYTES)
  })
})

it('a body of 16 KB has the maximum size of small ones, which is checked before authentication', async () => {
  const statusOf = async (path: string, body: BodyInit, headers = {}) => {
    const init = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body }
    const response = await callService(path, init)
    const { message } = await response.json<{ message: string }>()
    return [response.status, message.includes('16 KB')]
  }
  const blanks = (size: number) => new Uint8Array(size).fill(0x20)
  for (const path of [
    '/api/v1/auth/token',
    '/registration/v1/init',
    '/admin/workspace/v1/members',
    '/platform/v1/clients',
  ]) {
    expect((await statusOf(path, blanks(MAX_SMALL_BODY_BYTES)))[0]).not.toBe(413)
    const larger = blanks(MAX_SMALL_BODY_BYTES + 1)
    for (const body of [larger, chunked(larger)]) expect(await statusOf(path, body), path).toEqual([413, true])
  }
  const packed = gzip(blanks(MAX_SMALL_BODY_BYTES + 1))
  expect(await statusOf('/api/v1/auth/token', packed, { 'Content-Encoding': 'gzip' })).toEqual([413, true])
})

describe('a body compressed with gzip', () => {
  it('is accepted with and without a declared length', async () => {
    const body = gzip(bytesOf(JSON.stringify([catalog.record('a', { name: 'Café' })])))
    for (const encoding of ['gzip', ' X-GZIP ']) {
      expect((await gzipped(body, encoding)).status).toBe(200)
      expect((await gzipped(chunked(body), encoding)).status).toBe(200)
    }
    expect(await catalog.get('a')).toMatchObject({ name: 'Café' })
  })

  it('is not decompressed beyond the limit', async () => {
    expect((await gzipped(gzip(bodyOf(MAX_BODY_BYTES)))).status).toBe(200)
    // Level 0 compresses nothing, so the size is exceeded only while the bytes arrive.
    for (const larger of [gzip(bodyOf(MAX_BODY_BYTES + 1)), gzip(bodyOf(MAX_BODY_BYTES), { level: 0 })])
      expect((await gzipped(chunked(larger))).status).toBe(413)
  })

  it('returns 400 if it is damaged, and nothing is written', async () => {
    const whole = gzip(bytesOf(JSON.stringify(catalog.records(200))))
    for (const bytes of [bytesOf('[]'), whole.slice(0, -1)])
      expect(await gzipped(bytes)).toMatchObject({ status: 400, text: expect.stringContaining('gzip') })
    expect(await catalog.ids()).toEqual([])
  })

  it('must be gzip: other encodings return 415 with the supported one', async () => {
    for (const encoding of ['br', 'gzip, gzip', 'gzip;q=1']) {
      const answer = await send('[]', { 'Content-Encoding': encoding })
      expect([answer.status, answer.headers.get('Accept-Encoding')], encoding).toEqual([415, 'gzip'])
    }
    expect((await send('[]', { 'Content-Encoding': 'identity' })).status).toBe(200)
  })
})

it('the order of the checks is size, authentication, permission, query, body', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Encoding': 'br' }
  const { token } = catalog.workspace
  const large = bodyOf(MAX_BODY_BYTES + 1)
  for (const [status, from, query] of [
    [401, null, '?type=x'],
    [403, await tokenWithout('catalog:write', catalog.workspace), '?type=x'],
    [400, token, '?type=x'],
    [415, token, '?type=medication'],
  ] as const) {
    const send = (body: BodyInit) => call(from, 'POST', `${DATASETS}/${query}`, { body, headers })
    expect([(await send('no json')).status, (await send(chunked(large))).status]).toEqual([status, 413])
  }
})
