import { expect, it } from 'vitest'
import { MAX_FILE_NAME_LENGTH } from '#shared/limits'
import { keptFileName } from '#worker/catalog/write/upload'

it('the name of an uploaded file is stored without characters that are invisible or reorder text, and cut', () => {
  expect(keptFileName('catalog\u202Evsc.exe\u0000\r\n')).toBe('catalogvsc.exe')
  expect(keptFileName('x'.repeat(1_000_000))).toHaveLength(MAX_FILE_NAME_LENGTH)
  expect(keptFileName('Arzneimittel übersicht.csv')).toBe('Arzneimittel übersicht.csv')
  expect(keptFileName('\u200b \u0007')).toBeNull()
})
