import { expect, it } from 'vitest'
import { MAX_FILE_NAME_LENGTH } from '#shared/limits'
import { fileNameOf, storableFileName } from '#worker/http/endpoint/disposition'

it('the name of an uploaded file is stored without characters that are invisible or reorder text, and cut', () => {
  expect(storableFileName('catalog\u202Evsc.exe\u0000\r\n')).toBe('catalogvsc.exe')
  expect(storableFileName('x'.repeat(1_000_000))).toHaveLength(MAX_FILE_NAME_LENGTH)
  expect(storableFileName('Arzneimittel übersicht.csv')).toBe('Arzneimittel übersicht.csv')
  expect(storableFileName('\u200b \u0007')).toBeNull()
})

it.each([
  ['attachment; filename="list.csv"', 'list.csv'],
  ['attachment; filename=list.csv', 'list.csv'],
  ['attachment; filename="a \\"b\\".csv"', 'a "b".csv'],
  ['attachment; filename="plain.csv"; filename*=UTF-8\'\'na%C3%AFve%20%E8%AA%9E.csv', 'naïve 語.csv'],
  ['attachment; filename="plain.csv"; filename*=UTF-8\'\'%zz', 'plain.csv'],
  ['inline', null],
])('the file name in the Content-Disposition %j is %j', (header, expected) => {
  expect(fileNameOf(header)).toBe(expected)
})
