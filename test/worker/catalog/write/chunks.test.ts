import { expect, it } from 'vitest'
import { ChunkBuilder, MAX_CHUNK_CHARACTERS } from '#worker/catalog/write/check-request'
import type { Chunk } from '#worker/catalog/write/sql/write-records'

type Element = [id: string, text: string]

/** Records of very different lengths: many short ones, and some that fill half of a chunk. */
const records = Array.from(
  { length: 5000 },
  (_, index): Element => [`id ${index}`, (index % 500 === 7 ? 'x"' : 'अ').repeat((index % 500) * 300)],
).filter(([, text], index) => text.length < 3000 || index % 50 === 7)

function build(elements: readonly Element[], keepsIds: boolean) {
  const builder = new ChunkBuilder(keepsIds)
  for (const element of elements) builder.add({ id: element[0], isActive: true, json: JSON.stringify(element) })
  return builder.finish()
}

const elementsOf = ({ json }: Chunk): unknown[] => JSON.parse(json) as unknown[]

it('keeps every record in its order in full lists below the limit of one value, each with the place of its first', () => {
  const { chunks, idLists } = build(records, false)
  expect(idLists).toEqual([])
  expect(chunks.length).toBeGreaterThan(3)
  expect(chunks.flatMap(elementsOf)).toEqual(records)
  for (const chunk of chunks) expect(elementsOf(chunk)[0]).toEqual(records[chunk.offset])
  const lengths = chunks.map(({ json }) => json.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_CHUNK_CHARACTERS + 1)
  for (const [place, length] of lengths.slice(1).entries())
    expect(length + lengths[place]!).toBeGreaterThan(MAX_CHUNK_CHARACTERS)
})

it('lists the ids of a reconcile by themselves, in the same order', () => {
  const { idLists } = build(records, true)
  expect(idLists.flatMap((list) => JSON.parse(list) as string[])).toEqual(records.map(([id]) => id))
})

it('makes one list of one record, and none of no records', () => {
  expect(build(records.slice(0, 1), true).chunks).toEqual([{ json: JSON.stringify(records.slice(0, 1)), offset: 0 }])
  expect(build([], true)).toEqual({ chunks: [], idLists: [], hasInactive: false, total: 0 })
})

/** Bytes of memory, fewer than a write may take. */
const MOST_BYTES = 8_800_000

/** Adds records of such a text until all that were sent take this many characters. @returns those that were sent */
function fill(builder: ChunkBuilder, text: string, sent: number, characters: number): number {
  const json = JSON.stringify([text])
  let all = sent
  for (; all < characters; all += json.length + 1) builder.add({ id: 'id', isActive: true, json })
  builder.finish()
  return all
}

it.each([
  ['one byte each', 'x'.repeat(10_000), 2],
  ['two bytes, and escaped', `ā${'\\'.repeat(10_000)}`, 6],
  ['one byte as an escape', '\u0001'.repeat(10_000), 2 + 1 / 6],
])('knows the memory of characters that take %s', (_, text, bytes) => {
  const most = MOST_BYTES / bytes
  const builder = new ChunkBuilder(false, MOST_BYTES)
  const sent = fill(builder, text, 0, most * 0.97)
  expect(builder.isTooLarge).toBe(false)
  fill(builder, text, sent, most * 1.03)
  expect(builder.isTooLarge).toBe(true)
})

it('counts the ids of a reconcile too', () => {
  const [write, reconcile] = [false, true].map((keepsIds) => {
    const builder = new ChunkBuilder(keepsIds, MOST_BYTES)
    const id = '\\'.repeat(10_000)
    const json = JSON.stringify([id])
    for (let sent = 0; sent < MOST_BYTES / 4; sent += json.length) builder.add({ id, isActive: true, json })
    builder.finish()
    return builder
  })
  expect(write!.isTooLarge).toBe(false)
  expect(reconcile!.isTooLarge).toBe(true)
})
