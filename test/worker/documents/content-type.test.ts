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
    ['GIF87a\x01\0', 'image/gif'],
    ['GIF89a\x01\0', 'image/gif'],
    ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'image/heic'],
    ['\0\0\0\x18ftypmif1\0\0\0\0mif1heic', 'image/heic'],
    ['\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf', 'image/avif'],
    ['\xef\xbb\xbf%PDF-1.7', 'application/pdf'],
    ['\r\n\r\n%PDF-1.7', 'application/pdf'],
    [`${' '.repeat(1024)}%PDF-1.7`, 'application/pdf'],
  ])('knows %j as %s', (text, contentType) => {
    expect(contentTypeOf(bytes(text))).toBe(contentType)
  })

  it.each([
    '',
    '%PDF',
    `${' '.repeat(1025)}%PDF-1.7`,
    '\0\0\0\x18ftypisom\0\0\0\0isommp42',
    '\0\0\0\x10ftypmif1\0\0\0\0heic',
    'GIF88a',
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
