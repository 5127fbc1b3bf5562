import { describe, expect, it } from 'vitest'
import type { FieldError } from '#shared/errors/errors'
import { catalogOfEachTest, type WriteResult } from '../../support/catalog'

/** Files of other programs: what is no record is refused, and what is probably not meant is told. */

const catalog = catalogOfEachTest()
const { record } = catalog

const warned = ({ warnings }: WriteResult) =>
  warnings
    .filter(({ code }) => code !== undefined)
    .map(({ field, code, examples }) => [field, code, examples?.[0]?.value])

async function refused(csv: string | Uint8Array<ArrayBuffer>): Promise<FieldError[]> {
  const { status, body, text } = await catalog.postCsv(csv)
  expect(status, text).toBe(400)
  return (body as { errors: FieldError[] }).errors
}

const utf16 = (text: string, isLittle: boolean) =>
  Uint8Array.from([...text].flatMap((letter) => (isLittle ? [letter.charCodeAt(0), 0] : [0, letter.charCodeAt(0)])))

it('a row that repeats the header row, or is a line, has that error alone, and the other rows are checked', async () => {
  const csv = 'Medication_ID,name\n-------,----\nMedication_id,Name\n1,Alpha\n,Beta\n* * *,\n=,'
  expect(await refused(csv)).toMatchObject([
    { index: 1, field: null, code: 'ruled_line' },
    { index: 2, field: null, code: 'repeated_header' },
    { index: 4, field: 'medication_id', code: 'required' },
    { index: 5, field: 'name', code: 'required' },
    { index: 6, field: null, code: 'ruled_line' },
  ])
})

it('a cell of the form ="…" is read as its text, with one warning that counts them, but for a refid', async () => {
  const csv = '="medication_id",name,aliases,otc,refid\n="1001",Alpha,"=""a|b""","=""no""",="x"\n="1002",Beta,,,\n'
  const result = await catalog.upload(csv)
  expect(result.warnings).toMatchObject([
    { field: 'file', code: 'formula_text', count: 4, examples: [{ index: 1, value: '="1001"' }, {}, {}, {}] },
  ])
  expect(await catalog.get('1001')).toMatchObject({ aliases: ['a', 'b'], otc: false, refid: '="x"' })
  expect(await refused('medication_id,name\n="1",A\n1,B\n')).toMatchObject([{ index: 2, code: 'duplicate_id' }])
})

it('a header may have characters that cannot be seen, and is named by the error of a column that it was to be', async () => {
  expect(await catalog.upload('medication_id,na\u200bme\u2060\n1,A\n')).toMatchObject({ inserted: 1, warnings: [] })
  for (const [id, name] of [
    ['medicationId', 'drugName'],
    ['Item no', 'Product name'],
  ]) {
    expect(await refused(`${id},${name},Colour\n1,A,red\n`)).toMatchObject([
      { field: 'medication_id', code: 'required', nearest: [id] },
      { field: 'name', code: 'required', nearest: [name] },
    ])
  }
  for (const error of await refused('x,y\n1,A\n')) expect(error).not.toHaveProperty('nearest')
})

describe('a file', () => {
  it('in UTF-16 without a mark, and a web page, are refused by what they are; it may end with the mark of DOS', async () => {
    const text = 'medication_id,name\n1,A\n'
    for (const isLittle of [true, false]) {
      const [error] = await refused(utf16(text, isLittle))
      expect(error?.msg).toContain(`UTF-16 without a byte order mark`)
      expect(error?.msg).toContain(`charset=utf-16${isLittle ? 'le' : 'be'}`)
    }
    const named = { 'Content-Type': 'text/csv; charset=utf-16le' }
    expect((await catalog.postCsv(utf16(text, true), {}, named)).status).toBe(200)
    expect(await catalog.upload('medication_id,name\r\n1,A\r\n\u001a')).toMatchObject({ total: 1 })
    for (const page of ['<!DOCTYPE html><html>', '\n<html><body>', '<table><tr><td>id'])
      expect((await refused(page))[0]?.msg, page).toContain('a web page')
  })
})

describe('a value', () => {
  it('that stands for nothing is told, in JSON and CSV', async () => {
    const fields = { strength: '\\N', sku: 'NULL', aliases: ['n.a.'], generic_name: 'Not applicable' }
    const result = await catalog.write([record('NA', { ...fields, name: '-' }), record('N/A')])
    expect(warned(result).toSorted()).toEqual([
      ['aliases', 'null_marker', 'n.a.'],
      ['generic_name', 'null_marker', 'Not applicable'],
      ['medication_id', 'null_marker', 'N/A'],
      ['name', 'null_marker', '-'],
      ['sku', 'null_marker', 'NULL'],
      ['strength', 'null_marker', '\\N'],
    ])
    const csv = await catalog.upload('id,name,strength\n1,Alpha,TBD\n2,Beta,N / A\n')
    expect(csv.warnings).toMatchObject([{ field: 'strength', code: 'null_marker', count: 2 }])
  })

  it('of a list that was not split, and text with broken letters, are told', async () => {
    const rows = ['1,CafÃ©,Amoxicillin; Clavulanic acid,"[""a"",""b""]"', '2,A &amp; B,a+b;c,x|y;z', '3,Café,a+b,x|y']
    expect(warned(await catalog.upload(`id,name,generic_list,aliases\n${rows.join('\n')}\n`)).toSorted()).toEqual([
      ['aliases', 'unsplit_list', '["a","b"]'],
      ['generic_list', 'unsplit_list', 'Amoxicillin; Clavulanic acid'],
      ['name', 'broken_text', 'CafÃ©'],
    ])
  })
})
