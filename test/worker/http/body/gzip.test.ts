import { describe, expect, it } from 'vitest'
import type { BodyReader } from '#worker/http/body/body-stream'
import { unpackGzip } from '#worker/http/body/gzip'

const gzip = async (bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await new Response(new Response(bytes).body!.pipeThrough(new CompressionStream('gzip'))).arrayBuffer())

const MEGABYTE = 1024 * 1024

describe('a body that unpacks to a thousand times its size', () => {
  it('is read only as far as its unpacked bytes are read', async () => {
    const body = await gzip(new Uint8Array(32 * MEGABYTE))
    let asked = 0
    const unpacked = unpackGzip({
      read: async () => body.subarray(asked++ * 1024, asked * 1024),
      stop: () => undefined,
    })
    let size = 0
    while (size < 8 * MEGABYTE) size += (await unpacked.read())!.byteLength
    unpacked.stop()
    expect(asked).toBeLessThan(20)
  })
})

describe('a fault of the body', () => {
  it('is not taken for a fault of gzip', async () => {
    const fault = new Error('the client has left')
    const body: BodyReader = { read: () => Promise.reject(fault), stop: () => undefined }
    await expect(unpackGzip(body).read()).rejects.toBe(fault)
  })
})
