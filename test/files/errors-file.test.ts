import { describe, expect, it } from 'vitest'
import { rowErrors } from '#files/check/row-errors'
import { fileWithErrors } from '#files/fix/errors-file'
import { readCsvFile } from '#files/text/csv-file'
import { encodeText } from '#files/text/encode'
import { medication } from '#shared/records/types/medication'
import { tableOf } from './files'

const withFault = async (name: string, content: string | Uint8Array<ArrayBuffer>, onlyFailing = false) => {
  const table = tableOf(content)
  const errors = rowErrors([{ index: 1, field: 'name', code: 'required', msg: 'is required', value: null }], table.csv)
  const given = await fileWithErrors({ name, table, sheet: undefined, errors, onlyFailing })
  const bytes = new Uint8Array(await given.content.arrayBuffer())
  return { name: given.name, bytes, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) }
}

describe('a file given back with its errors', () => {
  it('has a column with what is wrong, and all cells as they were', async () => {
    const { name, text } = await withFault('a.b.csv', 'id, name ,otc\n 1 ,,"yes, ""no"""\n2,B,\n')
    expect(name).toBe('a.b-errors.csv')
    expect(text).toBe('\uFEFFid," name ",otc,_errors\r\n" 1 ",,"yes, ""no""",name: is required\r\n2,B,,\r\n')
  })

  it('has what is said now in place of what was said before, whatever its spelling and place', async () => {
    const { text } = await withFault('a.csv', 'id,_Errors,name\n1,old,\n2,older,B\n')
    expect(text).toBe('\uFEFFid,_errors,name\r\n1,name: is required,\r\n2,,B\r\n')
  })

  it('has rows that are too short or too long where they were', async () => {
    const { text } = await withFault('a.csv', 'id,name\n1\n\n2,B,extra\n')
    expect(text).toBe('\uFEFFid,name,_errors\r\n1,,name: is required\r\n,,\r\n2,B,,extra\r\n')
  })

  it('keeps separator, ending, lines above the header row and the line that names the separator', async () => {
    expect(await withFault('a.tsv', 'id\tname\n1\t\n')).toMatchObject({
      name: 'a-errors.tsv',
      text: '\uFEFFid\tname\t_errors\r\n1\t\tname: is required\r\n',
    })
    const { text } = await withFault('a.txt', 'sep=;\r\n\r\nid;name\r\n1;\r\n')
    expect(text).toBe('\uFEFFsep=;\r\n\r\nid;name;_errors\r\n1;;name: is required\r\n')
  })

  it('may have only the rows with errors, in the encoding and with the separator that were given', async () => {
    const { name, text } = await withFault('a.csv', 'sep=;\r\n\r\nid;name\r\n1;\r\n2;B\r\n', true)
    expect(name).toBe('a-rows-to-fix.csv')
    expect(text).toBe('\uFEFFsep=;\r\nid;name;_errors\r\n1;;name: is required\r\n')
  })

  it.each([
    // Node 20 reads Windows-1252 as Latin-1; a browser does not, and has the tests of what differs.
    ['windows-1252', 'Müller'],
    ['utf-16le', 'Müller € „x“'],
    ['utf-8', 'Müller € „x“'],
  ])('keeps the encoding %s', async (encoding, value) => {
    const { bytes } = await withFault('a.csv', encodeText(`id;name;sku\n1;;${value}\n`, encoding))
    const again = readCsvFile(bytes, medication)
    expect(again.encoding).toBe(encoding)
    expect(again.text).toContain(value)
  })
})

it('encoding text writes every character of Windows-1252 as its byte, and others as a question mark', () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
  expect(encodeText(new TextDecoder('windows-1252').decode(all), 'windows-1252')).toEqual(all)
  expect(encodeText('a→💊', 'windows-1252')).toEqual(Uint8Array.of(0x61, 0x3f, 0x3f))
})
