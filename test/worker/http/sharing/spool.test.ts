import { expect, it } from 'vitest'
import { type Spool, spool } from '#worker/http/sharing/spool'

const MEBIBYTE = 1024 * 1024

/** Six megabytes that compress well. */
const pieces = Array.from({ length: 6 * 1024 }, (_, index) => `${index}`.padEnd(1024, 'अbc').slice(0, 1024))

async function textOf({ pieces }: Spool): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  for await (const piece of pieces()) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}

const encodedBytes = new TextEncoder().encode(pieces.join('')).byteLength

it('keeps a text of at most the bytes of the body as it is', async () => {
  const made = await spool(pieces, encodedBytes)
  expect(made.bytes).toBe(encodedBytes)
  expect(await textOf(made)).toBe(pieces.join(''))
})

it('compresses what is longer than the body and than four megabytes, and gives it back complete', async () => {
  const made = await spool(pieces, MEBIBYTE)
  expect(made.bytes).toBeGreaterThanOrEqual(4 * MEBIBYTE)
  expect(made.bytes).toBeLessThan(5 * MEBIBYTE)
  expect(await textOf(made)).toBe(pieces.join(''))
})

it('keeps less than four megabytes as they are, however small the body was', async () => {
  const few = pieces.slice(0, 1000)
  const made = await spool(few, 1)
  expect(made.bytes).toBe(new TextEncoder().encode(few.join('')).byteLength)
  expect(await textOf(made)).toBe(few.join(''))
})
