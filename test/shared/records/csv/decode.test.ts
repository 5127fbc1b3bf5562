import { describe, expect, it } from 'vitest'
import { decodeText, errorsOf, fileError } from './support'

const utf8 = (text: string) => new TextEncoder().encode(text)

const utf16 = (text: string, littleEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let i = 0; i < text.length; i++) view.setUint16(i * 2, text.charCodeAt(i), littleEndian)
  return new Uint8Array(view.buffer)
}

describe('encoding decided by the bytes', () => {
  const latin = new Uint8Array([...utf8('id,name\n1,Cr'), 0xe8, ...utf8('me '), 0x80, 0x93, 0x99, ...utf8('x')])

  it.each([
    ['UTF-8', utf8('id,name\n1,Crème à 5 € 薬\n'), 'utf-8', 'id,name\n1,Crème à 5 € 薬\n'],
    ['UTF-8 after its mark', utf8('\uFEFFid,name'), 'utf-8', 'id,name'],
    ['UTF-8 after two marks', utf8('\uFEFF\uFEFFid,name'), 'utf-8', 'id,name'],
    ['UTF-16, little end first', utf16('\uFEFFid\tname\r\n1\tÉ 💊', true), 'utf-16le', 'id\tname\r\n1\tÉ 💊'],
    ['UTF-16, big end first', utf16('\uFEFFid,name\n1,É 💊', false), 'utf-16be', 'id,name\n1,É 💊'],
    ['bytes that are no UTF-8', latin, 'windows-1252', 'id,name\n1,Crème €“™x'],
    ['the same after the mark of UTF-8', new Uint8Array([0xef, 0xbb, 0xbf, 0x69, 0xe9]), 'windows-1252', 'ié'],
  ])('reads %s', (_, bytes, encoding, text) => {
    expect(decodeText(bytes)).toMatchObject({ encoding, text })
  })

  it('reads a character that stands where two pieces of the file meet', () => {
    const text = `id,name\n1,x${'薬'.repeat(100_000)}\n`
    expect(decodeText(utf8(text)).text).toBe(text)
    expect(decodeText(utf16(`\uFEFF${text}💊`, true)).text).toBe(`${text}💊`)
  })

  it('says so whenever it reads bytes as Windows-1252 without being told', () => {
    const bytes = new Uint8Array([...utf8('id,name\n1,Cr'), 0xe8, ...utf8('me\n2,Pur'), 0xe9, ...utf8('e\n')])
    expect(decodeText(bytes).warnings).toEqual([
      { field: 'charset', msg: expect.stringContaining('not valid UTF-8; they were read as windows-1252') },
    ])
    expect(decodeText(bytes, 'windows-1252').warnings).toEqual([])
    expect(decodeText(utf8('id,Crème')).warnings).toEqual([])
  })

  it('refuses UTF-16 that is cut off in the middle of a character', () => {
    const { status, errors } = errorsOf(() => decodeText(utf16('\uFEFFid,name', true).subarray(0, -1)))
    expect(status).toBe(400)
    expect(errors).toEqual([
      fileError(
        'malformed',
        'its byte order mark says utf-16le, but its bytes are not valid utf-16le; save it as UTF-8',
      ),
    ])
  })
})

describe('damaged UTF-8', () => {
  /** A row whose name was cut in the middle of a letter, as database exports cut it, among others. */
  const cut = (...rows: (string | number[])[]) =>
    new Uint8Array(rows.flatMap((row) => (typeof row === 'string' ? [...utf8(row)] : row)))

  it('is refused, and row, column and byte of every damaged place are named', () => {
    const bytes = cut(
      'code,drug name\n1,Paracétamol\n\n2,"a, पैरासिटा',
      [0xe0, 0xa4],
      '"\n3,é',
      [0xff],
      'é',
      [0x80],
      '\n',
    )
    const { status, message, errors } = errorsOf(() => decodeText(bytes))
    expect(status).toBe(400)
    expect(message).toContain('is not valid UTF-8 at byte')
    const firstByte = utf8('code,drug name\n1,Paracétamol\n\n2,"a, पैरासिटा').length
    const end = utf8('"\n3,é').length
    expect(errors).toEqual([
      {
        index: 3,
        field: 'drug name',
        code: 'malformed',
        msg: expect.stringContaining(`is not valid UTF-8 at byte ${firstByte} (E0 A4), in row 3, column 2`),
        value: 'a, पैरासिटा\ufffd',
        row: 3,
        column: 2,
        byte: firstByte,
      },
      expect.objectContaining({ index: 4, row: 4, column: 2, byte: firstByte + 2 + end }),
      expect.objectContaining({ index: 4, row: 4, column: 2, byte: firstByte + 2 + end + 3 }),
    ])
  })

  it('is told from U+FFFD that was written, and found in the header row and behind a quote that never closes', () => {
    const { errors } = errorsOf(() => decodeText(cut('id,né', [0xc3], '\n1,\ufffd\n2,"é', [0xe2, 0x82])))
    expect(errors).toMatchObject([
      { index: null, row: 0, column: 2, byte: 6 },
      { index: null, field: null, byte: 19 },
    ])
    expect(errors[1]).not.toHaveProperty('row')
  })

  it('is so if no fewer letters are whole than damaged; else the file is Windows-1252', () => {
    expect(() => decodeText(cut('é', [0xe9, 0x20]))).toThrow('is not valid UTF-8')
    expect(decodeText(cut('é', [0xe9, 0x20, 0xe8, 0x20])).encoding).toBe('windows-1252')
  })

  it('is so under a wrong charset too', () => {
    expect(() => decodeText(cut('éé', [0xff]), 'utf-8')).toThrow('is not valid UTF-8')
    expect(() => decodeText(cut('éé', [0xff]), 'us-ascii')).toThrow('is not valid UTF-8')
    expect(decodeText(cut('éé', [0xff]), 'windows-1252').warnings).toEqual([])
  })

  it('names the first ten places, however many U+FFFD come before, and their number', () => {
    const text = `id,name\n1,${'\ufffd'.repeat(100_000)}\n${'2,é\n'.repeat(20)}`
    const { errors, message } = errorsOf(() => decodeText(cut(text, ...Array(12).fill([0xff, 0x0a]))))
    expect(errors).toHaveLength(10)
    expect(errors.map(({ row, column }) => [row, column])).toEqual(Array.from({ length: 10 }, (_, n) => [22 + n, 1]))
    expect(message).toContain('has 12 damaged places')
  })
})

describe('charset of the content type', () => {
  it.each([
    ['windows-1250', [0xf8, 0xec], 'řě'],
    ['windows-1251', [0xc4, 0xe0], 'Да'],
    ['windows-1254', [0xfe, 0xf0], 'şğ'],
    ['iso-8859-15', [0xa4], '€'],
    ['koi8-r', [0xc1], 'а'],
    ['Shift_JIS', [0x93, 0xfa, 0x96, 0x7b], '日本'],
    ['EUC-KR', [0xc7, 0xd1], '한'],
    ['Big5', [0xa4, 0xa4], '中'],
    ['GBK', [0xd6, 0xd0], '中'],
    ['GB18030', [0xd6, 0xd0, 0x81, 0x30, 0x84, 0x36], '中¥'],
  ])('may be %s', (charset, bytes, text) => {
    const found = decodeText(new Uint8Array([...utf8('id,'), ...bytes]), charset)
    expect(found).toEqual({ text: `id,${text}`, encoding: charset.toLowerCase(), warnings: [] })
  })

  it('wins over bytes that would be valid UTF-8', () => {
    expect(decodeText(utf8('é'), 'ISO-8859-1').text).toBe('Ã©')
  })

  it.each(['ISO-8859-1', 'windows-1251', 'Shift_JIS', 'GB18030'])(
    'has a warning if the bytes are valid UTF-8: %s',
    (charset) => {
      const msg = expect.stringContaining('but its bytes are valid UTF-8')
      expect(decodeText(utf8('id,Paracétamol, crème'), charset).warnings).toEqual([{ field: 'charset', msg }])
      expect(decodeText(utf8('id,Paracetamol'), charset).warnings).toEqual([])
    },
  )

  it('takes every byte of Windows-1252, assigned or not', () => {
    const all = Uint8Array.from({ length: 256 }, (_, byte) => byte)
    expect(decodeText(all, 'cp1252').text).toHaveLength(256)
  })

  it('reads UTF-16 without a byte order mark', () => {
    expect(decodeText(utf16('id,é', true), 'utf-16le').text).toBe('id,é')
    expect(decodeText(utf16('id,é', false), 'UTF-16BE').text).toBe('id,é')
  })

  it('lets the byte order mark decide between the two kinds of UTF-16', () => {
    expect(decodeText(utf16('\uFEFFid,é', true), 'utf-16').text).toBe('id,é')
    expect(decodeText(utf16('\uFEFFid,é', false), 'UTF-16').text).toBe('id,é')
  })

  it('of ASCII holds for ASCII only', () => {
    for (const label of ['us-ascii', 'ASCII']) {
      expect(decodeText(utf8('id,name'), label)).toMatchObject({ text: 'id,name', warnings: [] })
      expect(decodeText(utf8('id,é'), label)).toMatchObject({ text: 'id,é', encoding: 'utf-8' })
      expect(decodeText(new Uint8Array([0x69, 0x64, 0xe9]), label).text).toBe('idé')
      expect(decodeText(utf8('id,é'), label).warnings).toMatchObject([{ field: 'charset' }])
    }
  })

  it('is refused with 415 when no such encoding is known', () => {
    const { status, message } = errorsOf(() => decodeText(utf8('id,name'), 'klingon'))
    expect(status).toBe(415)
    expect(message).toContain('charset')
  })

  it('is ignored with a warning when the bytes are not valid in it', () => {
    expect(decodeText(new Uint8Array([0x69, 0x64, 0xe9]), 'UTF-8')).toEqual({
      text: 'idé',
      encoding: 'windows-1252',
      warnings: [{ field: 'charset', msg: expect.stringContaining('not valid UTF-8') }],
    })
    expect(decodeText(utf8('id,é'), 'utf-16le').warnings).toHaveLength(1)
    expect(decodeText(utf8('id'), 'utf-8').warnings).toEqual([])
  })
})

describe('files that are no CSV', () => {
  it.each([
    ['a ZIP archive', [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00]],
    ['the letters PK', [0x50, 0x4b, 0x2c, 0x6e]],
    ['a compound file', [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0x00]],
  ])('refuses a file that starts as %s and says to save it as CSV', (_, bytes) => {
    const { status, message } = errorsOf(() => decodeText(new Uint8Array(bytes)))
    expect(status).toBe(400)
    expect(message).toContain('save the sheet as CSV')
  })

  it.each([
    ['%PDF-1.7', 'a PDF document'],
    ['[{"id":"1"}]', 'JSON'],
    ['\uFEFF \n{ "records": [] }', 'JSON'],
    ['[]', 'JSON'],
  ])('names the kind of the file: %j', (text, what) => {
    const { status, errors } = errorsOf(() => decodeText(utf8(text)))
    expect(status).toBe(400)
    expect(errors).toMatchObject([{ index: null, code: 'wrong_file', msg: expect.stringContaining(`it is ${what}`) }])
  })

  it.each([
    ['a PNG picture', [0x89, 0x50, 0x4e, 0x47, 0x0d]],
    ['a JPEG picture', [0xff, 0xd8, 0xff, 0xe0]],
    ['compressed with gzip', [0x1f, 0x8b, 0x08]],
  ])('names the kind of the file from its bytes: %s', (what, bytes) => {
    expect(errorsOf(() => decodeText(new Uint8Array(bytes))).message).toContain(`it is ${what}`)
  })

  it.each(['[id],name', '{id},name', '"id","name"'])('takes a header that begins with %j', (text) => {
    expect(decodeText(utf8(text)).text).toBe(text)
  })

  it.each([
    ['nothing', ''],
    ['a byte order mark', '\uFEFF'],
    ['white space', ' \r\n\t\n'],
    ['a byte order mark and white space', '\uFEFF \n'],
  ])('refuses a file of %s', (_, text) => {
    expect(errorsOf(() => decodeText(utf8(text)))).toMatchObject({
      status: 400,
      errors: [fileError('wrong_file', 'it is empty; send a header row and the records')],
    })
  })
})
