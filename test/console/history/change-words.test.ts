import { describe, expect, it } from 'vitest'
import { authorText } from '#console/author'
import { changeWords } from '#console/history/change-words'

const record = { id: 'M1', name: 'XCOPRI 25MG' }

describe('what became of a record, in words', () => {
  it('names the fields as people do, each with its old and its new value', () => {
    const fields = {
      strength: ['25MG', '50MG'],
      sku: [null, 'A1'],
      aliases: [['one'], ['one', 'two']],
    } as const
    expect(changeWords({ ...record, change: 'updated', fields: structuredClone(fields) as never })).toEqual({
      became: undefined,
      fields: [
        { field: 'strength', before: '25MG', after: '50MG' },
        { field: 'SKU', before: '—', after: 'A1' },
        { field: 'aliases', before: 'one', after: 'one, two' },
      ],
      more: 0,
    })
  })

  it('counts further fields, and cuts values that are long', () => {
    const fields = Object.fromEntries(
      Array.from({ length: 5 }, (_, place) => [`field_${place}`, [null, 'é'.repeat(61)]]),
    ) as Record<string, [unknown, unknown]>
    const words = changeWords({ ...record, change: 'reactivated', fields })
    expect(words).toMatchObject({ became: 'reactivated', more: 2 })
    expect(words.fields[0]).toEqual({ field: 'field 0', before: '—', after: `${'é'.repeat(60)}…` })
  })

  it('says of a new record that it is new, and not each of its values', () => {
    expect(changeWords({ ...record, change: 'inserted', fields: { name: [null, 'XCOPRI'] } })).toEqual({
      became: 'new',
      fields: [],
      more: 0,
    })
  })
})

describe('who wrote something', () => {
  it('is a person by the address, and a program by its name if that is known', () => {
    const programs = new Map([['dcs_client_a', 'Nightly sync']])
    expect(authorText('user:asha@clinic.example', programs)).toBe('asha@clinic.example')
    expect(authorText('dcs_client_a', programs)).toBe('Nightly sync')
    expect(authorText('dcs_client_b', programs)).toBe('Program dcs_client_b')
    expect(authorText('operator')).toBe('The operator')
  })
})
