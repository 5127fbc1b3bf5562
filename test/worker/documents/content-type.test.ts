import { expect, it } from 'vitest'
import { contentTypeOf } from '#worker/documents/content-type'

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))

it.each(
  Object.entries({
    'application/pdf': ['%PDF-1.7\n', '\xef\xbb\xbf%PDF-1.7', '\r\n\r\n%PDF-1.7', `${' '.repeat(1024)}%PDF-1.7`],
    'image/png': ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR'],
    'image/jpeg': ['\xff\xd8\xff\xe0\0\x10JFIF', '\xff\xd8\xff\xe1..Exif'],
    'image/tiff': ['II*\0\x08\0\0\0', 'MM\0*\0\0\0\x08'],
    'image/webp': ['RIFF\x24\0\0\0WEBPVP8 '],
    'image/gif': ['GIF87a\x01\0', 'GIF89a\x01\0'],
    'image/heic': ['\0\0\0\x18ftypheic\0\0\0\0mif1heic', '\0\0\0\x18ftypmif1\0\0\0\0mif1heic'],
    'image/avif': ['\0\0\0\x1cftypavif\0\0\0\0avifmif1miaf'],
    'application/octet-stream': [
      ...['', '%PDF', `${' '.repeat(1025)}%PDF-1.7`, '\0\0\0\x18ftypisom\0\0\0\0isommp42'],
      ...['\0\0\0\x10ftypmif1\0\0\0\0heic', 'GIF88a', '\x89PNG\n\x1a\n', '\xff\xd8', 'II\0*', 'MM*\0'],
      ...['RIFF\x24\0\0\0WAVE', 'RIFF\x24\0\0\0WEB', '<html><script>alert(1)</script>', 'symptom_id,name\n'],
    ],
  }),
)('the bytes of a document are recognized as %s', (contentType, texts) => {
  for (const text of texts) expect(contentTypeOf(bytes(text)), JSON.stringify(text)).toBe(contentType)
})
