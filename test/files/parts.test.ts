import { describe, expect, it } from 'vitest'
import { partsOf } from '#files/parts'
import { tableOf } from './files'

const text = (rows: number) =>
  ['id,name,Colour', ...Array.from({ length: rows }, (_, i) => `${i + 1},"Näme, ${i + 1}",red`), ''].join('\n')

const split = async (content: string, limits: { bytes: number; rows: number; lines?: number }) => {
  const parts = partsOf(tableOf(content), new TextEncoder().encode(content), { lines: 200_000, ...limits })
  return Promise.all(parts.map(async ({ content: blob, ...part }) => ({ ...part, text: await blob.text() })))
}

describe('a file that exceeds the limits of a request', () => {
  it('is split between rows, and each part has the header row', async () => {
    const parts = await split(text(5), { bytes: 10_000, rows: 2 })
    expect(parts.map(({ text: _, ...part }) => part)).toEqual([
      { rows: 2, firstRow: 2, lastRow: 3, offset: 0 },
      { rows: 2, firstRow: 4, lastRow: 5, offset: 2 },
      { rows: 1, firstRow: 6, lastRow: 6, offset: 4 },
    ])
    expect(parts[1]!.text).toBe('id,name,Colour\r\n3,"Näme, 3",red\r\n4,"Näme, 4",red\r\n')
  })

  it('has no part above the limits, and loses no row', async () => {
    const parts = await split(text(3000), { bytes: 16_000, rows: 50_000 })
    expect(parts.length).toBeGreaterThan(2)
    for (const part of parts) expect(new TextEncoder().encode(part.text).byteLength).toBeLessThanOrEqual(16_000)
    const ids = parts.flatMap((part) => part.text.trim().split('\r\n').slice(1)).map((line) => line.split(',')[0])
    expect(ids).toEqual(Array.from({ length: 3000 }, (_, i) => String(i + 1)))
  })

  it('is split by the number of its rows including blank ones, which the service also counts', async () => {
    const content = `id,name\n1,A\n${'\n'.repeat(5)}2,B\n3,C\n4,D\n`
    const parts = await split(content, { bytes: 10_000, rows: 2, lines: 4 })
    expect(parts.map(({ rows, firstRow, lastRow }) => [rows, firstRow, lastRow])).toEqual([
      [1, 2, 5],
      [2, 6, 9],
      [1, 10, 10],
    ])
  })
})
