import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import type { CellChoice } from '#files/cells/cell-questions'
import { storedDoubt } from '#files/cells/stored-doubts'
import { openFile, sentBy } from './files'

describe('a cell', () => {
  const cell = (v: number, w: string) => storedDoubt({ t: 'n', v, w }, undefined)

  it.each([
    [0.0625, '0.06', '0.0625', 'rounded'],
    [0.5, ' 1/2', '0.5', 'rounded'],
    [0.5, '50%', '0.5', 'percent'],
    [123456789012, '1.23457E+11', '123456789012', 'shortened'],
    [-5, '(5)', '-5', 'rounded'],
  ])('that contains %j and displays %j differs in meaning', (v, w, stored, doubt) => {
    expect(cell(v, w)).toEqual({ stored, doubt })
  })

  it.each([
    [7, '00007'],
    [1250.5, '1,250.50 mg'],
    [1234567, '1 234 567'],
    [0.1 + 0.2, '0.3'],
  ])('that contains %j and displays %j does not', (v, w) => {
    expect(cell(v, w)).toBeUndefined()
  })
})

it('a text or a number differs in meaning if its format hides it, and a blank text does not', () => {
  expect(storedDoubt({ t: 's', v: '5 mg', w: '' }, undefined)).toEqual({ stored: '5 mg', doubt: 'hidden' })
  expect(storedDoubt({ t: 'n', v: 5, w: '' }, undefined)).toEqual({ stored: '5', doubt: 'hidden' })
  expect(storedDoubt({ t: 's', v: ' ', w: '' }, undefined)).toBeUndefined()
})

describe('a sheet', () => {
  const sheet = utils.aoa_to_sheet([
    ['Price list'],
    [],
    ['Id', 'Name', 'Strength', 'Price'],
    ['1', 'A', 0.0625, 1.005],
    ['2', 'B', '5 mg', 2],
    ['3', 'C, "D"', 45935, 3],
    ['4', 'E', 0.25, 4],
  ])
  for (const [address, format] of Object.entries({ C4: '0.00', C6: 'd-mmm', C7: '0.00', D4: '0.0' }))
    sheet[address].z = format
  const bytes = new Uint8Array(write(utils.book_new(sheet, 'S'), { type: 'array', bookType: 'xlsx' }))

  it('causes questions about cells that differ from their display, and is otherwise sent unchanged', async () => {
    const { work, file, again } = await openFile(bytes, 'a.xlsx')
    // The price is not a field.
    expect(file.questions).toMatchObject([
      { key: '2 rounded', examples: [{ row: 4, shown: '0.06', stored: '0.0625' }] },
      { key: '2 date', examples: [{ row: 6, shown: '5-Oct', stored: '2025-10-05' }] },
    ])
    const sentWith = async (choice: CellChoice) => {
      again({ choices: new Map(file.questions.map(({ key }) => [key, choice])) })
      return (await sentBy(work)).join('').trimEnd().split('\r\n').slice(1)
    }
    expect(await sentWith('shown')).toEqual(['1,A,0.06,1.0', '2,B,5 mg,2', '3,"C, ""D""",5-Oct,3', '4,E,0.25,4'])
    expect(await sentWith('stored')).toEqual([
      '1,A,0.0625,1.0',
      '2,B,5 mg,2',
      '3,"C, ""D""",2025-10-05,3',
      '4,E,0.25,4',
    ])
    const typed = new Map([['2025-10-05', '5-10']])
    expect(await sentWith(typed)).toEqual(['1,A,0.06,1.0', '2,B,5 mg,2', '3,"C, ""D""",5-10,3', '4,E,0.25,4'])
  })
})
