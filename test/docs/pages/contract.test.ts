import { describe, expect, it } from 'vitest'
import { ERROR_STATUS } from '#shared/errors/errors'
import { fillBlocks } from '../../../scripts/docs/tables'
import { anchorsOf, section } from '../markdown'
import { textOf } from './documents'

const contract = textOf('docs/contract.md')

/** The first cell of each row of the first table in a text, without the head. */
const firstCells = (text: string): string[] => {
  const rows = text.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => row.split('|')[1]!.trim().replaceAll('`', ''))
}

describe('the contract', () => {
  it('has the tables that the code makes: run `npm run docs` if this fails', () => {
    expect(contract).toBe(fillBlocks(contract))
  })

  it('refuses a mark without a table', () => {
    const marked = '<!-- generated: no-such-table -->\n<!-- /generated -->'
    expect(() => fillBlocks(marked)).toThrow('no table is named no-such-table')
  })

  it('has each heading once, so that anchors are stable', () => {
    const anchors = anchorsOf(contract)
    expect(anchors.filter((anchor, index) => anchors.indexOf(anchor) !== index)).toEqual([])
  })

  it('explains every status that an error can have, and no other', () => {
    const statuses = [...new Set(Object.values(ERROR_STATUS))].sort().map(String)
    expect(firstCells(section(contract, 'status-codes'))).toEqual(statuses)
  })
})
