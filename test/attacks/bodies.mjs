/** Bodies designed to exhaust an isolate: small to send, large to handle. */
import { MAX_BODY_BYTES } from '../../bench/catalogs.mjs'

/** A body with a head, a tail, and the text `unit` in between as often as it fits. */
function filled(head, unit, tail) {
  const room = MAX_BODY_BYTES - Buffer.byteLength(head) - Buffer.byteLength(tail)
  return Buffer.from(head + unit.repeat(Math.floor(room / Buffer.byteLength(unit))) + tail)
}

/** A body with a head, a tail, and in between as many numbered parts as fit, with separators. */
function numbered(head, part, tail, separator = ',') {
  const pieces = []
  let size = Buffer.byteLength(head) + Buffer.byteLength(tail)
  for (let n = 0; ; n++) {
    const piece = part(n)
    size += Buffer.byteLength(piece) + separator.length
    if (size > MAX_BODY_BYTES) break
    pieces.push(piece)
  }
  return Buffer.from(head + pieces.join(separator) + tail)
}

export const record = (n, rest = '') => `{"medication_id":"r${n}","name":"n${n}"${rest}}`

const nested = (depth) => '['.repeat(depth) + ']'.repeat(depth)

const json = (bytes) => ({ type: 'application/json', bytes })
const csv = (bytes) => ({ type: 'text/csv', bytes })

/** A form with many parts. One contains the file. */
function form(parts) {
  const boundary = 'boundary'
  const tail = `--${boundary}--\r\n`
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...parts(boundary), Buffer.from(tail)]),
  }
}

const formPart = (boundary, name, content, file = '') =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ])

/** CSV records with forty aliases of 200 characters. The database receives each alias twice, and escaped. */
const aliases = (letter, other) =>
  csv(
    numbered(
      'id,name,aliases\n',
      (n) => `${n},n${other},${Array.from({ length: 40 }, (_, i) => 100 + i + letter.repeat(197)).join('|')}`,
      '',
      '\n',
    ),
  )

const longAliases = Array.from({ length: 200 }, (_, n) => `${n}${'\ufdfa'.repeat(190)}`)

/** Bodies of a write, by their effect. */
export const BODIES = {
  'JSON, [{},{},…]': () => json(filled('[{}', ',{}', ']')),
  'JSON, [[],[],…]': () => json(filled('[[]', ',[]', ']')),
  'JSON, nested without end': () => json(Buffer.from(nested(MAX_BODY_BYTES / 2))),
  'JSON, objects nested without end': () => json(filled('', '{"a":', '')),
  'JSON, blank': () => json(filled('', ' ', '')),
  'JSON, minimal records': () => json(numbered('[', (n) => record(n), ']')),
  'JSON, minimal records with a refid of 1.0': () => json(numbered('[', (n) => record(n, ',"refid":1.0'), ']')),
  'JSON, a refid that is a list of 1.0': () =>
    json(filled('[{"medication_id":"a","name":"a","refid":[1.0', ',1.0', ']}]')),
  'JSON, 4,000 refids nested 999 deep': () =>
    json(Buffer.from(`[${Array.from({ length: 4000 }, (_, n) => record(n, `,"refid":${nested(999)}`)).join(',')}]`)),
  'JSON, refid 0, then a list of 1.0': () =>
    json(filled('[{"medication_id":"a","name":"a","refid":0},{"x":[1.0', ',1.0', ']}]')),
  'JSON, an unknown field of its own in each record': () => json(numbered('[', (n) => record(n, `,"x${n}":0`), ']')),
  'JSON, {"records": [{},…]} with a second list beside it': () =>
    json(filled('{"other":[{}', ',{}', '],"records":[]}')),
  'JSON, one alias list of one letter each': () =>
    json(filled('[{"medication_id":"a","name":"a","aliases":["x"', ',"y"', ']}]')),
  'JSON, a name of escapes': () => json(filled('[{"medication_id":"a","name":"', '\\u20ac', '"}]')),
  'JSON, an unknown field of 10 MB': () => json(filled('[{"medication_id":"a","name":"a","', 'x', '":1}]')),
  'JSON, the same id again and again': () => json(filled('[{"medication_id":"a"}', ',{"medication_id":"a"}', ']')),
  'JSON, names of U+FDFA': () =>
    json(numbered('[', (n) => `{"medication_id":"r${n}","name":"${'\ufdfa'.repeat(200)}"}`, ']')),
  'JSON, aliases of U+FDFA': () =>
    json(numbered('[', (n) => record(n, `,"aliases":[${longAliases.map((alias) => `"${alias}"`)}]`), ']')),
  'JSON, records of 480 KB': () => json(numbered('[', (n) => record(n, `,"refid":"${'x'.repeat(480_000)}"`), ']')),
  'JSON, wrong in every field': () =>
    json(numbered('[', (n) => `{"medication_id":${n},"name":1,"aliases":1,"strength":1,"otc":1,"sku":1}`, ']')),
  'JSON, not UTF-8': () => json(filled('["', '\ud83d\ude00', Buffer.from([0xff]))),
  'CSV, a cell of NULs': () => csv(filled('id,name\n1,', '\0', '')),
  'CSV, cells of quotes in pairs': () => csv(filled('id,name\n', '1,""""\n', '')),
  'CSV, a quote that never closes': () => csv(filled('id,name\n1,"', 'x', '')),
  'CSV, aliases next to a two-byte character': () => aliases('x', 'ā'),
  'CSV, aliases of control characters next to a two-byte character': () => aliases('\u0001', 'ā'),
  'JSON, one record of 250,000 values': () =>
    json(Buffer.from(`[${record(0, `,"x":["x"${',"y"'.repeat(249_990)}]`)}]`)),
  'JSON, records of 50,000 members': () =>
    json(numbered('[', (n) => `{"m":${n}${Array.from({ length: 49_000 }, (_, i) => `,"${i}":0`).join('')}}`, ']')),
  'JSON, every member twice': () =>
    json(numbered('[', (n) => `{"medication_id":"r${n}","medication_id":"r${n}","name":"n","name":"n"}`, ']')),
  'JSON, a valid list and an end that is missing': () =>
    json(Buffer.from(numbered('[', (n) => record(n), ']').subarray(0, -1))),
  'CSV, blank lines above the header row': () => csv(filled('', '\n', '\nid,name\n1,A')),
  'CSV, quoted empty cells': () => csv(filled('id,name\n', '"",""\n', '')),
  'CSV, blanks before quotes': () => csv(filled('id,name\n', `${' '.repeat(40)}"",x\n`, '')),
  'CSV, cells with text after quotes': () => csv(filled('id,name\n1,', '"a"b,', '')),
  'CSV, a header of long columns of its own each': () =>
    csv(
      Buffer.from(
        `id,name${Array.from({ length: 16_000 }, (_, n) => `,strength${n.toString(36)}xxxxxxxxxx`).join('')}\n1,1`,
      ),
    ),
  'CSV, UTF-8 with a damaged place in every other letter': () =>
    csv(filled(Buffer.from('id,name\n1,').toString(), 'é', '').map((byte, i) => (i > 20 && i % 4 === 0 ? 0xff : byte))),
  'CSV, UTF-8 with a damaged place at its end': () =>
    csv(Buffer.concat([filled('id,name\n', '1,é\n', '').subarray(0, -10), Buffer.from([0xff])])),
  'CSV, line ends': () => csv(filled('id,name\n', '\n', '')),
  'CSV, a header of 16,384 columns and rows as wide': () =>
    csv(filled(`id,name${',x'.repeat(16_382)}\n`, `${','.repeat(16_383)}\n`, '')),
  'CSV, an alias cell of one letter each': () => csv(filled('id,name,aliases\n1,1,', 'a|', '')),
  'CSV, rows of one letter': () => csv(filled('id,name\n', 'a\n', '')),
  'CSV, wrong in every row': () =>
    csv(numbered('id,name,otc,strength\n', (n) => `${n},,?,${'x'.repeat(180)}`, '', '\n')),
  'CSV, UTF-16': () =>
    csv(Buffer.concat([Buffer.from([0xff, 0xfe]), filled('i\0d\0,\0n\0a\0m\0e\0\n\0', 'a\0,\0b\0\n\0', '')])),
  'CSV, Windows-1252': () => csv(Buffer.concat([Buffer.from('id,name\n1,'), Buffer.alloc(MAX_BODY_BYTES - 20, 0xe9)])),
  'a form with one file of 10 MB': () =>
    form((boundary) => [
      formPart(
        boundary,
        'file',
        filled('id,name\n', '1,x\n', '').subarray(0, MAX_BODY_BYTES - 400),
        '; filename="f.csv"',
      ),
    ]),
  'a form of many parts': () =>
    form((boundary) => {
      const part = formPart(boundary, 'file', Buffer.from('x'))
      return Array.from({ length: Math.floor((MAX_BODY_BYTES - 100) / part.byteLength) }, () => part)
    }),
  'a form with a file of lines that are nearly its delimiter': () =>
    form((boundary) => [
      formPart(
        boundary,
        'file',
        filled('id,name\n1,x\n', `--${boundary} \n`, '').subarray(0, MAX_BODY_BYTES - 400),
        '; filename="f.csv"',
      ),
    ]),
}
