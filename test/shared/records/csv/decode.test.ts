import { describe, expect, it } from 'vitest'
import { decodeText, errorsOf, fileError } from './support'

const utf8 = (text: string) => new TextEncoder().encode(text)

const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

describe('an encoding that the bytes decide', () => {
  const latin = new Uint8Array([...utf8('id,name\n1,Cr'), 0xe8, ...utf8('me '), 0x80, 0x93, 0x99, ...utf8('x')])

  it.each([
    ['UTF-8', utf8('id,name\n1,Crème à 5 € 薬\n'), 'utf-8', 'id,name\n1,Crème à 5 € 薬\n'],
    ['UTF-16, little end first', utf16('\uFEFFid\tname\r\n1\tÉ 💊', true), 'utf-16le', 'id\tname\r\n1\tÉ 💊'],
    ['UTF-16, big end first', utf16('\uFEFFid,name\n1,É 💊', false), 'utf-16be', 'id,name\n1,É 💊'],
    ['bytes that are no UTF-8', latin, 'windows-1252', 'id,name\n1,Crème €“™x'],
  ])('reads %s', (_, bytes, encoding, text) => {
    expect(decodeText(bytes)).toMatchObject({ encoding, text })
  })

  it('reads a character across two chunks of the file', () => {
    const text = `id,name\n1,x${'薬'.repeat(30_000)}\n`
    expect(decodeText(utf8(text)).text).toBe(text)
    expect(decodeText(utf16(`\uFEFF${text}💊`, true)).text).toBe(`${text}💊`)
  })

  it('warns whenever it chooses the encoding by itself', () => {
    const bytes = new Uint8Array([...utf8('id,name\n1,Cr'), 0xe8, ...utf8('me\n2,Pur'), 0xe9, ...utf8('e\n')])
    expect(decodeText(bytes).warnings).toEqual([
      { field: 'charset', msg: expect.stringContaining('not valid UTF-8; they were read as windows-1252') },
    ])
    expect(decodeText(bytes, 'UTF-8')).toMatchObject({ encoding: 'windows-1252', warnings: [{ field: 'charset' }] })
    expect(decodeText(bytes, 'windows-1252').warnings).toEqual([])
    expect(decodeText(utf8('id,é'), 'utf-16le').warnings).toHaveLength(1)
  })

  it('rejects UTF-16 that is truncated in the middle of a character', () => {
    const msg = 'its byte order mark says utf-16le, but its bytes are not valid utf-16le; save it as UTF-8'
    const refusal = { status: 400, errors: [fileError('malformed', msg)] }
    expect(errorsOf(() => decodeText(utf16('\uFEFFid,name', true).subarray(0, -1)))).toMatchObject(refusal)
  })
})

describe('damaged UTF-8', () => {
  /** A row whose name was truncated in the middle of a character, as database exports do, among others. */
  const cut = (...rows: (string | number[])[]) =>
    new Uint8Array(rows.flatMap((row) => (typeof row === 'string' ? [...utf8(row)] : row)))

  it('is rejected with the row, column and byte of every damaged place', () => {
    const start = 'code,drug name\n1,Paracétamol\n\n2,"a, पैरासिटा'
    const bytes = cut(start, [0xe0, 0xa4], '"\n3,é', [0xff], 'é', [0x80], '\n')
    const { status, message, errors } = errorsOf(() => decodeText(bytes))
    expect(status).toBe(400)
    expect(message).toContain('is not valid UTF-8 at byte')
    const firstByte = utf8(start).length
    const second = firstByte + 2 + utf8('"\n3,é').length
    const msg = expect.stringContaining(`is not valid UTF-8 at byte ${firstByte} (E0 A4), in row 3, column 2`)
    const place = { row: 3, column: 2, byte: firstByte }
    expect(errors).toEqual([
      { index: 3, field: 'drug name', code: 'malformed', msg, value: 'a, पैरासिटा\ufffd', ...place },
      expect.objectContaining({ index: 4, row: 4, column: 2, byte: second }),
      expect.objectContaining({ index: 4, row: 4, column: 2, byte: second + 3 }),
    ])
  })

  it('is distinguished from a literal U+FFFD', () => {
    const { errors } = errorsOf(() => decodeText(cut('id,né', [0xc3], '\n1,\ufffd\n2,"é', [0xe2, 0x82])))
    expect(errors).toMatchObject([
      { index: null, row: 0, column: 2, byte: 6 },
      { index: null, field: null, byte: 19 },
    ])
    expect(errors[1]).not.toHaveProperty('row')
  })

  it('is recognized if at least as many characters are intact as damaged', () => {
    expect(() => decodeText(cut('é', [0xe9, 0x20]))).toThrow('is not valid UTF-8')
    expect(decodeText(cut('é', [0xe9, 0x20, 0xe8, 0x20])).encoding).toBe('windows-1252')
    for (const charset of ['utf-8', 'us-ascii'])
      expect(() => decodeText(cut('éé', [0xff]), charset)).toThrow('is not valid UTF-8')
    expect(decodeText(cut('éé', [0xff]), 'windows-1252').warnings).toEqual([])
  })

  it('lists the first ten places', () => {
    const text = `id,name\n1,${'\ufffd'.repeat(1000)}\n${'2,é\n'.repeat(20)}`
    const { errors, message } = errorsOf(() => decodeText(cut(text, ...Array(12).fill([0xff, 0x0a]))))
    expect(errors).toHaveLength(10)
    expect(errors.map(({ row, column }) => [row, column])).toEqual(Array.from({ length: 10 }, (_, n) => [22 + n, 1]))
    expect(message).toContain('has 12 damaged places')
  })
})

describe('the charset of the content type', () => {
  it.each([
    ['windows-1250', [0xf8, 0xec], 'řě'],
    ['Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
  ])('may be %s', (charset, bytes, text) => {
    const found = decodeText(new Uint8Array([...utf8('id,'), ...bytes]), charset)
    expect(found).toEqual({ text: `id,${text}`, encoding: charset.toLowerCase(), warnings: [] })
  })

  it.each(['ISO-8859-1', 'GB18030'])('takes precedence over valid UTF-8, with a warning: %s', (charset) => {
    const { text, warnings } = decodeText(utf8('id,Paracétamol, crème'), charset)
    expect(text).not.toContain('é')
    expect(warnings).toEqual([{ field: 'charset', msg: expect.stringContaining('but its bytes are valid UTF-8') }])
    expect(decodeText(utf8('id,Paracetamol'), charset).warnings).toEqual([])
  })

  it('may be a kind of UTF-16, which a byte order mark distinguishes', () => {
    expect(decodeText(utf16('id,é', false), 'UTF-16BE').text).toBe('id,é')
    for (const littleEndian of [true, false])
      expect(decodeText(utf16('\uFEFFid,é', littleEndian), 'utf-16').text).toBe('id,é')
  })

  it('of ASCII is used only if the bytes are ASCII', () => {
    expect(decodeText(utf8('id,name'), 'us-ascii')).toMatchObject({ text: 'id,name', warnings: [] })
    const warnings = [{ field: 'charset' }]
    expect(decodeText(utf8('id,é'), 'us-ascii')).toMatchObject({ text: 'id,é', encoding: 'utf-8', warnings })
    expect(decodeText(new Uint8Array([0x69, 0x64, 0xe9]), 'ASCII').text).toBe('idé')
  })

  it('is rejected with 415 if the encoding is unknown', () => {
    const { status, message } = errorsOf(() => decodeText(utf8('id,name'), 'klingon'))
    expect(status).toBe(415)
    expect(message).toContain('charset')
  })
})

it('the end-of-file character of DOS is ignored', () => {
  expect(decodeText(utf8('id,name\r\n1,A\r\n\u001a')).text).toBe('id,name\r\n1,A\r\n')
})

describe('a file that is not CSV', () => {
  const refused = (bytes: Uint8Array) => errorsOf(() => decodeText(bytes))

  it.each([
    ['save the sheet as CSV', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]],
    ['save the sheet as CSV', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]],
    ['it is a PNG picture', [0x89, 0x50, 0x4e, 0x47, 0x0d]],
    ['it is compressed with gzip', [0x1f, 0x8b, 0x08]],
    ['charset=utf-16le', utf16('id,name\n1,A\n', true)],
    ['a web page', utf8('<!DOCTYPE html><html>')],
    ['it is empty', []],
    ['it is empty', utf8('\uFEFF \r\n\t\n')],
    ['it is JSON', utf8('\uFEFF \n{ "records": [] }')],
  ])('is rejected with what it is or what to do: %s (%#)', (what, bytes) => {
    const { status, errors } = refused(new Uint8Array(bytes))
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ index: null, code: 'wrong_file', msg: expect.stringContaining(what) }])
  })

  it.each(['[id],name', '{id},name', '"id","name"'])('is not recognized by a header that begins with %j', (text) => {
    expect(decodeText(utf8(text)).text).toBe(text)
  })
})
