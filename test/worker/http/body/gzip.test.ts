import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import type { BodyReader } from '#worker/http/body/body-stream'
import { unpackGzip } from '#worker/http/body/gzip'

const MEGABYTE = 1024 * 1024

it('a body that unpacks to a thousand times its size is read only as far as its unpacked bytes are read', async () => {
  const body = gzipSync(new Uint8Array(32 * MEGABYTE))
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

it('a fault of the body is not taken for a fault of gzip', async () => {
  const fault = new Error('the client has left')
  const body: BodyReader = { read: () => Promise.reject(fault), stop: () => undefined }
  await expect(unpackGzip(body).read()).rejects.toBe(fault)
})
