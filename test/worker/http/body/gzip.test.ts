import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { unpackGzip } from '#worker/http/body/gzip'

const MEGABYTE = 1024 * 1024

it('a body that decompresses to a thousand times its size is only read as far as its content is read', async () => {
  const body = gzipSync(new Uint8Array(8 * MEGABYTE))
  let asked = 0
  const unpacked = unpackGzip({
    read: async () => body.subarray(asked++ * 1024, asked * 1024),
    stop: () => undefined,
  })
  let size = 0
  while (size < 2 * MEGABYTE) size += (await unpacked.read())!.byteLength
  unpacked.stop()
  expect(asked).toBeLessThan(6)
})

const text = new TextEncoder()
const first = gzipSync(text.encode('id,name\n1,Aspirin\n'))
const second = gzipSync(text.encode('2,Zolpidem\n'))
const BOTH = 'id,name\n1,Aspirin\n2,Zolpidem\n'

/** Decompresses bytes that arrive in chunks of a size. */
async function unpack(packed: Uint8Array, size = packed.byteLength): Promise<string> {
  let sent = 0
  const read = async () => {
    const piece = packed.subarray(sent, sent + size)
    sent += size
    return piece.byteLength > 0 ? piece : null
  }
  const unpacked = unpackGzip({ read, stop: () => undefined })
  const decoder = new TextDecoder()
  let all = ''
  for (let bytes = await unpacked.read(); bytes !== null; bytes = await unpacked.read()) {
    all += decoder.decode(bytes, { stream: true })
  }
  return all
}

/** Bytes with one of them changed, counted from the end. */
const damaged = (bytes: Buffer, fromEnd: number) =>
  bytes.map((byte, n) => (n === bytes.byteLength - fromEnd ? byte ^ 1 : byte))

describe('gzip members', () => {
  it.each([1, 1000])('are all decompressed, in chunks of %i', async (size) => {
    expect(await unpack(Buffer.concat([first, second]), size)).toBe(BOTH)
    expect(await unpack(Buffer.concat([first, new Uint8Array(3), second, new Uint8Array(700)]), size)).toBe(BOTH)
  })

  it.each([
    ['whose checksum is wrong', Buffer.concat([first, damaged(second, 8)])],
    ['that is truncated', Buffer.concat([first, second.subarray(0, -1)])],
    ['that is not gzip', Buffer.concat([first, text.encode('1,Aspirin')])],
  ])('are rejected with one %s', async (_, packed) => {
    await expect(unpack(packed)).rejects.toMatchObject({ code: 'invalid_request' })
    await expect(unpack(packed, 1)).rejects.toMatchObject({ code: 'invalid_request' })
  })
})
