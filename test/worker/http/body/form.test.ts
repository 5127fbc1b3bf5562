import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formFields } from '#worker/http/body/form'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest('symptom')

const CSV = 'id,name\r\n1,Fièvre\r\n'
const bytesOf = (text: string) => new TextEncoder().encode(text)

const filesOf = (body: Uint8Array, contentType: string) =>
  formFields(body, contentType).filter(({ name }) => name === 'file')

/** A form with one part with these headers, after an unrelated one. */
const formOf = (headers: string, content: string | Uint8Array = CSV, line = '\r\n') => {
  const before = ['--b-1', 'Content-Disposition: form-data; name=note', '', '--b-1 is no delimiter', '--b-1', '']
  const pieces = [before.join(line) + headers + line + line, content, `${line}--b-1--${line}`]
  return new Blob(pieces.map((piece) => new Blob([piece])))
}

const upload = async (body: Blob, boundary = 'b-1') => {
  const bytes = new Uint8Array(await body.arrayBuffer())
  const type = `multipart/form-data; boundary=${boundary}`
  return catalog.postCsv(bytes, {}, { 'Content-Type': type })
}

describe('a file in a form', () => {
  it.each([
    ['quoted', 'form-data; name="file"; filename="a b.csv"', 'a b.csv'],
    ['tokens and the extended name', "form-data; name=file; filename=a.csv; filename*=utf-8''%C3%A9.csv", 'é.csv'],
    ['a token for the field', 'form-data; name=file; filename="a;\\"b.csv"', 'a;"b.csv'],
    ['any case', 'Form-Data; Name=file; FileName=a.csv', 'a.csv'],
  ])('may be named with %s', async (_, disposition, fileName) => {
    for (const headers of [`Content-Disposition: ${disposition}`, `A: b\r\ncontent-disposition: ${disposition}`]) {
      const body = new Uint8Array(await formOf(headers).arrayBuffer())
      expect(filesOf(body, 'multipart/form-data; boundary=b-1')).toMatchObject([{ fileName, bytes: bytesOf(CSV) }])
    }
  })

  it('is read in the charset of its part, with a warning about the other fields', async () => {
    const pain = Uint8Array.of(0xc1, 0xee, 0xeb, 0xfc)
    const csv = new Uint8Array([...bytesOf('symptom_id,name\r\n1,'), ...pain])
    const part = 'Content-Disposition: form-data; name=file\r\nContent-Type: text/csv; charset="Windows-1251"'
    const { status, text, body } = await upload(formOf(part, csv))
    expect(status, text).toBe(200)
    const msg = 'sent next to the records and ignored; send parameters in the URL'
    expect(body).toMatchObject({ data: { warnings: [{ field: 'note', msg }] } })
    expect(await catalog.get('1')).toMatchObject({ name: 'Боль' })
  })

  it('is rejected if its bytes have a transfer encoding', async () => {
    const part = (encoding: string) =>
      `Content-Disposition: form-data; name=file\r\ncontent-transfer-encoding: ${encoding}`
    expect((await upload(formOf(part('base64')))).status).toBe(415)
    expect((await upload(formOf(part(' 8BIT ')))).status).toBe(200)
  })

  it('keeps its bytes, whatever they have in common with the lines around it', () => {
    const pieces = ['-', '--', 'b', 'b-', 'b-b', '--b-b', '\n', '\r\n', '\r', 'x', '\n--b-b ', '\n--b-b-']
    const content = fc.array(fc.constantFrom(...pieces), { maxLength: 40 }).map((some) => some.join(''))
    const isContent = (text: string) => !/(^|\n)--b-b(--|\r?\n|\r?$)/.test(text)
    fc.assert(
      fc.property(fc.array(content.filter(isContent), { maxLength: 4 }), fc.boolean(), (contents, isLong) => {
        const line = isLong ? '\r\n' : '\n'
        const parts = contents.map(
          (text) => `--b-b${line}Content-Disposition: form-data; name=file${line}${line}${text}${line}`,
        )
        const body = bytesOf(`${parts.join('')}--b-b--${line}`)
        const found = filesOf(body, 'multipart/form-data; boundary=b-b')
        const texts = found.map(({ bytes }) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
        // A line may end with LF alone, so the CR before it is not content.
        expect(texts).toEqual(contents.map((text) => (isLong ? text : text.replace(/\r$/, ''))))
      }),
      { numRuns: 200 },
    )
  })

  const FILE = 'Content-Disposition: form-data; name="file"'

  it.each([
    ['has no end', `--b\r\n${FILE}\r\n\r\nx\r\n--b\r`],
    ['has a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--'],
    ['is none', 'x'],
    ['has another field', `--b\r\n${FILE.replace('file', 'data')}; filename=a.csv\r\n\r\nx\r\n--b--`],
    ['has another boundary', `--other\r\n${FILE}\r\n\r\nx\r\n--other--`],
  ])('is rejected in a form that %s', async (_, text) => {
    expect((await upload(new Blob([text]), 'b')).status).toBe(400)
  })

  it('is accepted in a form with up to 1000 parts, with headers of up to 8 KB', () => {
    const part = (headers: string) => `--b\r\n${headers}\r\n\r\nx\r\n`
    const read = (parts: string) => formFields(bytesOf(`${parts}--b--`), 'multipart/form-data; boundary=b').length
    expect(read(part(FILE).repeat(1000))).toBe(1000)
    expect(() => read(part(FILE).repeat(1001))).toThrow()
    expect(read(part(FILE.padEnd(8190)))).toBe(1)
    expect(() => read(part(FILE.padEnd(8191)))).toThrow()
  })

  it('may have a name in Windows-1252', async () => {
    const [before, after] = ['Content-Disposition: form-data; name="file"; filename="m', 'd.csv"']
    const disposition = new Uint8Array([...bytesOf(`--b\r\n${before}`), 0xe9, ...bytesOf(after)])
    const { status } = await upload(new Blob([disposition, `\r\n\r\n${CSV}\r\n--b--`]), 'b')
    expect(status).toBe(200)
    expect((await catalog.batches()).latest).toMatchObject({ file_name: 'méd.csv' })
  })
})
