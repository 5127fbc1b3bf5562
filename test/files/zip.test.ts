import { describe, expect, it } from 'vitest'
import { pack, UnusualFile, unpack, withoutCompression } from '#files/workbook/zip'

/** An archive of two parts. */
const archive = () => pack({ 'a.txt': new TextEncoder().encode('first'), 'b.txt': new TextEncoder().encode('second') })

const END_BYTES = 22

/** The texts of the parts of an archive. */
function textsOf(bytes: Uint8Array): Record<string, string> {
  const texts: Record<string, string> = {}
  unpack(bytes, (path) => (piece) => {
    texts[path] = (texts[path] ?? '') + piece
  })
  return texts
}

/** The same archive with the end that large ones have: the short end says that its numbers are elsewhere (APPNOTE.TXT, 4.3.14). */
function withLargeEnd(bytes: Uint8Array): Uint8Array {
  const endAt = bytes.byteLength - END_BYTES
  const old = new DataView(bytes.buffer, bytes.byteOffset + endAt, END_BYTES)
  const ends = new Uint8Array(56 + 20 + END_BYTES)
  const view = new DataView(ends.buffer)
  view.setUint32(0, 0x06064b50, true)
  view.setBigUint64(4, 44n, true)
  view.setBigUint64(24, BigInt(old.getUint16(10, true)), true)
  view.setBigUint64(32, BigInt(old.getUint16(10, true)), true)
  view.setBigUint64(40, BigInt(old.getUint32(12, true)), true)
  view.setBigUint64(48, BigInt(old.getUint32(16, true)), true)
  view.setUint32(56, 0x07064b50, true)
  view.setBigUint64(64, BigInt(endAt), true)
  view.setUint32(72, 1, true)
  ends.set(bytes.subarray(endAt), 76)
  view.setUint16(76 + 8, 0xffff, true)
  view.setUint16(76 + 10, 0xffff, true)
  view.setUint32(76 + 12, 0xffffffff, true)
  view.setUint32(76 + 16, 0xffffffff, true)
  return Uint8Array.from([...bytes.subarray(0, endAt), ...ends])
}

describe('an archive', () => {
  it('with the end of a large one is read, its checksums too', () => {
    const large = withLargeEnd(archive())
    expect(textsOf(large)).toEqual({ 'a.txt': 'first', 'b.txt': 'second' })
    large[large.indexOf('f'.charCodeAt(0), 30)]! ^= 1
    expect(() => textsOf(large)).toThrow(UnusualFile)
  })

  it('with a part that is longer than a text can be is left alone, before it is unpacked', () => {
    const bytes = archive()
    const view = new DataView(bytes.buffer, bytes.byteOffset)
    const listAt = view.getUint32(bytes.byteLength - END_BYTES + 16, true)
    expect(textsOf(withoutCompression(bytes))).toEqual({ 'a.txt': 'first', 'b.txt': 'second' })
    view.setUint32(listAt + 24, 2 ** 29 + 1, true)
    expect(() => withoutCompression(bytes)).toThrow('the size of a.txt')
  })
})
