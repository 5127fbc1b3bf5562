import { env } from 'cloudflare:workers'
import { expect, it } from 'vitest'
import { BodyCopy } from '#worker/http/body/body-copy'
import type { BodyReader } from '#worker/http/body/body-stream'

const MEBIBYTE = 1024 * 1024

const copyAs = (key: string): BodyCopy =>
  new BodyCopy(env.DOCUMENTS, key, new Headers({ 'Content-Type': 'text/csv', 'Content-Encoding': 'gzip' }))

/** A body of so many pieces, all of them in the same memory, as those of a real stream are. */
function receiverOf(pieces: number, bytes: number): BodyReader {
  const memory = new Uint8Array(bytes)
  let left = pieces
  return {
    read: async () => (left-- > 0 ? memory.fill(left) : null),
    stop: () => undefined,
  }
}

async function readAll(body: BodyReader): Promise<void> {
  while ((await body.read()) !== null);
}

it.each([
  { packedMegabytes: 2, encoding: 'gzip', first: 1 },
  { packedMegabytes: 3, encoding: null, first: 7 },
])(
  'a packed body of $packedMegabytes MB is stored with the encoding $encoding',
  async ({ packedMegabytes, encoding, first }) => {
    const copy = copyAs('packed')
    await readAll(copy.following(receiverOf(packedMegabytes, MEBIBYTE)))
    copy.arrived(new Uint8Array([7, 7, 7]))
    const stored = await copy.store()
    const bytes = await (await env.DOCUMENTS.get('packed'))!.bytes()
    expect(stored).toMatchObject({ encoding, bytes: encoding === null ? 3 : 2 * MEBIBYTE })
    expect([bytes.byteLength, bytes[0]]).toEqual([stored.bytes, first])
  },
)

it('a body that is dropped while it is stored is not in the store', async () => {
  const copy = copyAs('dropped')
  copy.arrived(new Uint8Array(1000))
  const storing = copy.store()
  await copy.drop()
  await storing
  expect(await env.DOCUMENTS.head('dropped')).toBeNull()
})
