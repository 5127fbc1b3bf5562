import { beforeEach, describe, expect, it } from 'vitest'
import { newCatalog, type TestCatalog } from '../../../support/catalog'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
})

const TEXT = 'id,name\n1,A\n'

const bytesOf = (text: string) => new TextEncoder().encode(text)

const digest = async (algorithm: string, bytes: BufferSource): Promise<string> =>
  btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest(algorithm, bytes))))

const gzip = (text: string): Promise<ArrayBuffer> =>
  new Response(new Response(text).body!.pipeThrough(new CompressionStream('gzip'))).arrayBuffer()

const send = (body: BodyInit, headers: Record<string, string>) =>
  catalog.send('POST', '/', {}, { body, headers: { 'Content-Type': 'text/csv', ...headers } })

const errorOf = async (body: BodyInit, headers: Record<string, string>) => {
  const { status, body: answer } = await send(body, headers)
  expect(status).toBe(400)
  expect(await catalog.ids()).toEqual([])
  return (answer as { errors: unknown[] }).errors[0]
}

const other = bytesOf('other')

describe('a digest of a body', () => {
  it.each([
    ['Content-Digest', async (bytes: BufferSource) => `sha-256=:${await digest('SHA-256', bytes)}:`],
    [
      'Content-Digest',
      async (bytes: BufferSource) => `md5=:AAAA:, sha-512=:${await digest('SHA-512', bytes)}:;a=1`,
    ],
    ['Content-MD5', async (bytes: BufferSource) => digest('MD5', bytes)],
  ])('is compared: %s (%#)', async (header, of) => {
    expect(await errorOf(TEXT, { [header]: await of(other) })).toMatchObject({
      field: header,
      code: 'digest_mismatch',
    })
    expect((await send(TEXT, { [header]: await of(bytesOf(TEXT)) })).status).toBe(200)
    expect(await catalog.ids()).toEqual(['1'])
  })

  it('is of the bytes as they are sent, packed if they are', async () => {
    const packed = await gzip(TEXT)
    const headers = async (bytes: BufferSource) => ({
      'Content-Encoding': 'gzip',
      'Content-Digest': `sha-256=:${await digest('SHA-256', bytes)}:`,
    })
    expect(await errorOf(packed, await headers(bytesOf(TEXT)))).toMatchObject({ code: 'digest_mismatch' })
    expect((await send(packed, await headers(packed))).status).toBe(200)
  })

  it('shows that a body was cut off', async () => {
    const header = `sha-256=:${await digest('SHA-256', bytesOf(`${TEXT}2,B\n`))}:`
    expect(await errorOf(TEXT, { 'Content-Digest': header })).toMatchObject({ code: 'digest_mismatch' })
  })

  it('all fit, if there are several', async () => {
    const right = `sha-256=:${await digest('SHA-256', bytesOf(TEXT))}:`
    const wrong = `sha-512=:${await digest('SHA-512', other)}:`
    expect(await errorOf(TEXT, { 'Content-Digest': `${right}, ${wrong}` })).toMatchObject({
      field: 'Content-Digest',
    })
    expect(
      await errorOf(TEXT, { 'Content-Digest': right, 'Content-MD5': await digest('MD5', other) }),
    ).toMatchObject({ field: 'Content-MD5' })
  })

  it.each([
    ['Content-Digest', 'sha-256=abc', 'malformed'],
    ['Content-Digest', 'sha-256=:=:', 'malformed'],
    ['Content-Digest', '', 'malformed'],
    ['Content-Digest', 'crc32c=:AAAA:', 'not_allowed'],
    ['Content-MD5', '!', 'malformed'],
    ['Content-MD5', 'AAAA', 'digest_mismatch'],
  ])('that cannot be compared is refused: %s: %s', async (header, value, code) => {
    expect(await errorOf(TEXT, { [header]: value })).toMatchObject({ field: header, code })
  })
})
