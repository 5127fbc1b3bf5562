import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BYTE_ORDER_MARK, csvHeader, csvLine } from '#shared/records/csv/write'
import type { Field, RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { readCsv } from './support'

const { medication, symptom } = recordTypes

it('the header line contains all fields in order', () => {
  expect(csvHeader(medication)).toBe(
    'medication_id,name,display_name,aliases,strength,generic_name,generic_id,generic_list,generic_list_ids,' +
      'form_name,form_id,sku,schedule_code,custom_type,therapy_class,therapy_class_id,action_class,' +
      'action_class_id,manufacturer,otc,is_active,refid,updated_at\r\n',
  )
  expect([...new TextEncoder().encode(BYTE_ORDER_MARK)]).toEqual([0xef, 0xbb, 0xbf])
})

describe('a record line', () => {
  it('contains every kind of value', () => {
    const line = csvLine(medication, {
      ...{ medication_id: 'm1', name: 'Augmentin', display_name: null, form_name: 'Tablet', form_id: 'tablet' },
      ...{ aliases: ['Co-amoxiclav', 'Amoxiclav'], generic_list: ['Amoxicillin', 'Clavulanate'], generic_list_ids: [] },
      ...{ otc: false, is_active: true, refid: null },
      updated_at: '2026-11-20T18:00:00.000Z',
    })
    expect(line).toBe(
      'm1,Augmentin,,Co-amoxiclav|Amoxiclav,,,,Amoxicillin+Clavulanate,,Tablet,tablet,,,,,,,,,false,true,,' +
        '2026-11-20T18:00:00.000Z\r\n',
    )
  })

  it.each([
    [17, '17'],
    [{ a: ['x', null] }, '"{""a"":[""x"",null]}"'],
  ])('contains the refid %j as %s', (refid, cell) => {
    expect(csvLine(symptom, { symptom_id: 's', name: 'n', refid })).toBe(`s,n,,,,,,,,${cell},\r\n`)
  })
})

describe('a written file', () => {
  const anyText = fc.string({ unit: 'binary', minLength: 1 })
  const text = anyText.filter((value) => value.trim() === value)

  const arbitraryOf = (field: Field): fc.Arbitrary<unknown> => {
    switch (field.kind) {
      case 'string':
        return text
      case 'list':
        return fc.array(
          text.filter((item) => !item.includes(field.separator)),
          { minLength: 1, maxLength: 3 },
        )
      case 'enum':
        return fc.constantFrom(...field.values)
      case 'boolean':
        return fc.boolean()
      case 'any':
        return anyText
    }
  }

  const recordOf = (type: RecordType): fc.Arbitrary<Record<string, unknown>> =>
    fc.record(Object.fromEntries(type.fields.map((field) => [field.name, arbitraryOf(field)])), {
      requiredKeys: type.fields.filter(({ required }) => required).map(({ name }) => name),
    })

  it.each(Object.values(recordTypes))('is read as the same records: $name', (type) => {
    fc.assert(
      fc.property(fc.array(recordOf(type), { maxLength: 5 }), (records) => {
        const file = csvHeader(type) + records.map((record) => csvLine(type, record)).join('')
        const { rows, warnings } = readCsv(file, type)
        expect([...rows].map(({ record }) => record)).toEqual(records.map((record) => ({ ...record })))
        expect(warnings).toEqual([])
      }),
    )
  })
})
