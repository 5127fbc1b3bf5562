import { describe, expect, it } from 'vitest'
import { contentTypeOf } from '#worker/documents/content-type'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

describe('contentTypeOf', () => {
  it.each([
    ['%PDF-1.7\n', 'application/pdf'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'image/png'],
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'image/jpeg'],
    ['\xff\xd8\xff\xe1..Exif', 'image/jpeg'],
    ['II*\0\x08\0\0\0', 'image/tiff'],
    ['MM\0*\0\0\0\x08', 'image/tiff'],
    ['RIFF\x24\0\0\0WEBPVP8 ', 'image/webp'],
  ])('knows %j as %s', (text, contentType) => {
    expect(contentTypeOf(bytes(text))).toBe(contentType)
  })

  it.each([
    '',
    '%PDF',
    ' %PDF-1.7',
    '\x89PNG\n\x1a\n',
    '\xff\xd8',
    'II\0*',
    'MM*\0',
    'RIFF\x24\0\0\0WAVE',
    'RIFF\x24\0\0\0WEB',
    '<html><script>alert(1)</script>',
    'symptom_id,name\n',
  ])('takes %j for plain bytes', (text) => {
    expect(contentTypeOf(bytes(text))).toBe('application/octet-stream')
  })
})
