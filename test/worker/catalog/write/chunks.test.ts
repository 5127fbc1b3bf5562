import { expect, it } from 'vitest'
import { MAX_SENT_BYTES } from '#shared/limits'
import { recordTypes } from '#shared/records/record-types'
import { writtenForm, writtenName } from '#shared/records/stored-form'
import { ChunkBuilder, MAX_CHUNK_CHARACTERS, RequestIds, SentTexts } from '#worker/catalog/write/chunk-builder'
import { type Chunk, elementsAt } from '#worker/catalog/write/sql/sent-records'

type Element = [id: string, text: string]

/** Records of very different sizes: many short ones, and some that fill half of a chunk. */
const records = Array.from(
  { length: 5000 },
  (_, index): Element => [`id ${index}`, (index % 500 === 7 ? 'x"' : 'अ').repeat((index % 500) * 300)],
).filter(([, text], index) => text.length < 3000 || index % 50 === 7)

function build(elements: readonly Element[]): Chunk[] {
  const builder = new ChunkBuilder(new SentTexts(MAX_SENT_BYTES))
  for (const [position, element] of elements.entries()) builder.add({ json: JSON.stringify(element), position })
  builder.finish()
  return builder.chunks
}

function listIds(ids: readonly string[]): string[] {
  const collected = new RequestIds('reconcile', new SentTexts(MAX_SENT_BYTES))
  for (const id of ids) collected.add({ id, isActive: true })
  collected.finish()
  return collected.idLists
}

const elementsOf = ({ json }: Chunk): unknown[] => JSON.parse(json) as unknown[]

it('chunks contain all records in order, fill the limit of one value, and end with their last position', () => {
  const chunks = build(records)
  expect(chunks.length).toBeGreaterThan(3)
  expect(chunks.flatMap(elementsOf)).toEqual(records)
  for (const chunk of chunks) expect(elementsOf(chunk).at(-1)).toEqual(records[chunk.lastPosition])
  const lengths = chunks.map(({ json }) => json.length)
  expect(Math.max(...lengths)).toBeLessThanOrEqual(MAX_CHUNK_CHARACTERS + 1)
  for (const [place, length] of lengths.slice(1).entries())
    expect(length + lengths[place]!).toBeGreaterThan(MAX_CHUNK_CHARACTERS)
})

it('the IDs of a reconcile are listed separately, in the same order, below the limit of one value', () => {
  const ids = Array.from({ length: 9000 }, (_, n) => '\u0001'.repeat(150) + n)
  const lists = listIds(ids)
  expect(lists.flatMap((list) => JSON.parse(list) as string[])).toEqual(ids)
  expect(Math.max(...lists.map(({ length }) => length))).toBeLessThan(1_300_000)
})

it('one record makes one list, and no records make none', () => {
  expect(build(records.slice(0, 1))).toEqual([{ json: JSON.stringify(records.slice(0, 1)), lastPosition: 0 }])
  expect([build([]), listIds([])]).toEqual([[], []])
})

/** Bytes of memory, fewer than the limit of a write. */
const MOST_BYTES = 8_800_000

/** Adds texts until all of them have this many characters. @returns their number */
function fill(texts: SentTexts, text: string, sent: number, characters: number): number {
  let all = sent
  for (; all < characters; all += text.length) texts.add(text)
  return all
}

it.each([
  ['one byte each', 'x'.repeat(10_000), 2],
  ['two bytes, and escaped', `ā${'\\'.repeat(10_000)}`, 6],
  ['one byte as an escape', JSON.stringify('\u0001'.repeat(1000)), 2 + 1 / 6],
])('the memory of characters that use %s is counted', (_, text, bytes) => {
  const most = MOST_BYTES / bytes
  const texts = new SentTexts(MOST_BYTES)
  const sent = fill(texts, text, 0, most * 0.97)
  expect(texts.isTooLarge()).toBe(false)
  expect(texts.isTooLarge(MOST_BYTES / 20)).toBe(true)
  fill(texts, text, sent, most * 1.03)
  expect(texts.isTooLarge()).toBe(true)
})

it('makes a chunk in Latin-1 of records with few characters beyond it', () => {
  const records = [
    { medication_id: 'a', name: `Zażółć ${'gesla '.repeat(20)}` },
    { medication_id: 'b', name: 'é' },
  ]
  const builder = new ChunkBuilder(new SentTexts(MAX_SENT_BYTES))
  for (const [position, record] of records.entries()) {
    builder.add({ json: writtenForm(recordTypes.medication, record, 'N\n', '\na\n', position).json, position })
  }
  builder.finish()
  const [chunk] = builder.chunks
  expect(chunk?.json).toMatch(/^[\0-\u00ff]+$/)
  expect([...elementsAt(builder.chunks, [0, 1])].map(({ element }) => writtenName(element))).toEqual(
    records.map(({ name }) => name),
  )
})
