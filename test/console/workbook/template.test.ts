import { read, utils } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { EXAMPLES } from '#console/workbook/examples'
import { templateSheets } from '#console/workbook/template'
import { textWorkbook } from '#files/workbook/text-workbook'
import { RECORD_TYPES } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { RecordRules } from '#shared/records/rules'

describe.each(RECORD_TYPES)('the template for the type %s', (name) => {
  const type = recordTypes[name]
  const sheets = () => templateSheets(type).map(({ rows, ...sheet }) => ({ ...sheet, rows: [...rows] }))

  it('begins with an empty sheet that contains every column', () => {
    expect(sheets()[0]!.rows).toEqual([type.fields.map((field) => field.name)])
  })

  it('has examples that the service accepts', () => {
    const rules = new RecordRules(type)
    expect(EXAMPLES[name].length).toBeGreaterThan(1)
    for (const record of EXAMPLES[name]) expect(rules.check({ ...record })).toEqual([])
    const [header, ...rows] = sheets()[1]!.rows
    expect(rows).toHaveLength(EXAMPLES[name].length)
    for (const row of rows) expect(row).toHaveLength(header!.length)
  })

  it('lists the values that each column accepts', () => {
    const columns = new Map(sheets()[2]!.rows.map(([column, ...rest]) => [column, rest.join(' ')]))
    for (const field of type.fields) {
      const said = columns.get(field.name)
      if (field.kind === 'enum') for (const value of field.values) expect(said).toContain(value)
      if (field.required) expect(said).toContain('Always')
      if (field.kind === 'list') expect(said).toContain(field.separator)
    }
  })

  it('keeps typed values as text', async () => {
    const { Sheets, SheetNames } = read(await textWorkbook(templateSheets(type)).arrayBuffer(), {
      dense: true,
      sheetStubs: true,
      cellNF: true,
    })
    const cells = Sheets[SheetNames[0]!]!['!data']!
    expect(cells[1]).toHaveLength(type.fields.length)
    expect(cells[300]!.every((cell) => cell?.z === '@')).toBe(true)
    expect(utils.sheet_to_json(Sheets[SheetNames[0]!]!, { header: 1, blankrows: false })).toHaveLength(1)
  })
})
