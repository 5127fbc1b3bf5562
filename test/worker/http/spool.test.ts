import { expect, it } from 'vitest'
import { type Spool, spool } from '#worker/http/spool'

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

it('a spool returns every text completely, whatever its length', async () => {
  for (const [texts, bodyBytes, least, most] of [
    [pieces, encodedBytes, encodedBytes, encodedBytes],
    [pieces, MEBIBYTE, 4 * MEBIBYTE, 5 * MEBIBYTE],
    [['few', 'bytes'], 1, 8, 8],
  ] as const) {
    const kept = await spool(made(texts), bodyBytes)
    expect(kept.bytes).toBeGreaterThanOrEqual(least)
    expect(kept.bytes).toBeLessThanOrEqual(most)
    expect(await textOf(kept)).toBe(texts.join(''))
  }
})
