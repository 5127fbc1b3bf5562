import { expect, it } from 'vitest'
import { type Spool, spool } from '#worker/http/sharing/spool'

const MEBIBYTE = 1024 * 1024

/** Six megabytes that compress well. */
const pieces = Array.from({ length: 6 * 1024 }, (_, index) => `${index}`.padEnd(1024, 'अbc').slice(0, 1024))

async function* made(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts
}

async function textOf({ pieces }: Spool): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  let text = ''
  for await (const piece of pieces()) text += decoder.decode(piece, { stream: true })
  return text + decoder.decode()
}

const encodedBytes = new TextEncoder().encode(pieces.join('')).byteLength

it('keeps a text of at most the bytes of the body as it is', async () => {
  const kept = await spool(made(pieces), encodedBytes)
  expect(kept.bytes).toBe(encodedBytes)
  expect(await textOf(kept)).toBe(pieces.join(''))
})

it('compresses what is longer than the body and than four megabytes, and gives it back complete', async () => {
  const kept = await spool(made(pieces), MEBIBYTE)
  expect(kept.bytes).toBeGreaterThanOrEqual(4 * MEBIBYTE)
  expect(kept.bytes).toBeLessThan(5 * MEBIBYTE)
  expect(await textOf(kept)).toBe(pieces.join(''))
})

it('keeps less than four megabytes as they are, however small the body was', async () => {
  const few = pieces.slice(0, 1000)
  const kept = await spool(made(few), 1)
  expect(kept.bytes).toBe(new TextEncoder().encode(few.join('')).byteLength)
  expect(await textOf(kept)).toBe(few.join(''))
})
