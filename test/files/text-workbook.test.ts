import { read } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { textWorkbook } from '#files/workbook/text-workbook'

const cellsOf = async (content: Blob) => {
  const { Sheets, SheetNames } = read(await content.arrayBuffer(), { dense: true, cellNF: true })
  return Sheets[SheetNames[0]!]!['!data']!
}

describe('a workbook of text', () => {
  it('holds every text as it is: zeros, formulas, dates and line ends', async () => {
    const texts = ['007', '=1+1', '+1', '-1', '@SUM(A1)', '2026-11-20', 'two\nlines', '1E5', 'é語😀', ' x ']
    const [, row] = await cellsOf(textWorkbook([{ name: 'S', rows: [['id'], texts] }]))
    const cells = row!
    expect(cells.map((cell) => cell?.v)).toEqual(texts)
    for (const cell of cells) expect(cell).toMatchObject({ t: 's', z: '@' })
    expect(cells.some((cell) => cell?.f !== undefined)).toBe(false)
  })

  it('escapes what spreadsheet programs would take for an escape', async () => {
    const content = textWorkbook([{ name: 'S', rows: [['_x0041_', 'a_x_b']] }])
    const { files } = read(await content.arrayBuffer(), { bookFiles: true }) as unknown as {
      files: Record<string, { content: Uint8Array }>
    }
    const xml = new TextDecoder().decode(files['xl/worksheets/sheet1.xml']!.content)
    expect(xml).toContain('>_x005F_x0041_<')
    expect(xml).toContain('>a_x_b<')
  })

  it('refuses a text that no cell can hold, and names it', () => {
    const rows = [
      ['id', 'aliases'],
      ['A1', 'x'.repeat(32_768)],
    ]
    expect(() => textWorkbook([{ name: 'S', rows }])).toThrow('“aliases” of “A1” is longer than a cell')
  })
})
