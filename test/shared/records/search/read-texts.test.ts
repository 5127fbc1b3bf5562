import { describe, expect, it } from 'vitest'
import { ReadTexts } from '#shared/records/search/read-texts'

/** Whether the first of some texts is still in the cache after the others were read. */
function keepsFirst(texts: readonly string[]): boolean {
  const cache = new ReadTexts()
  const [first] = texts.map((text) => cache.of(text))
  return cache.of(texts[0] ?? '') === first
}

const numbered = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${text}${n}`)

describe('the cache of texts', () => {
  it('keeps some thousand names and strengths', () => {
    expect(keepsFirst(numbered(5000, 'Amoxicillin 500 mg/5 ml '))).toBe(true)
  })

  it('keeps fewer texts without spaces, which have a fact for each letter', () => {
    const name = 'ยาพาราเซตามอลสำหรับเด็กชนิดน้ำเชื่อม'
    expect(keepsFirst(numbered(100, name))).toBe(true)
    expect(keepsFirst(numbered(5000, name))).toBe(false)
  })
})
