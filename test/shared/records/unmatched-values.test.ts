import { describe, expect, it } from 'vitest'
import { jsonSource } from '#shared/records/json-source'
import { RecordCheck } from '#shared/records/record-check'
import { recordTypes } from '#shared/records/record-types'
import { atOnce } from '#shared/work'

function warningsOf(forms: (string | null)[]) {
  const records = forms.map((form_name, n) => ({ medication_id: `m${n}`, name: 'A', form_name }))
  const source = atOnce(jsonSource(new TextEncoder().encode(JSON.stringify(records))))
  const reader = new RecordCheck(recordTypes.medication, source)
  for (const row of source.records) {
    if (row.index !== null) expect(reader.check(row).result).toHaveProperty('json')
  }
  return reader.warnings
}

describe('dosage forms that are not accepted', () => {
  it('are named in one warning, the most frequent first, with their counts', () => {
    expect(warningsOf(['Tablet', null])).toEqual([])
    expect(warningsOf(['Tablet', 'SYSTEM', 'Disc', 'SYSTEM', null, '', 'Tabs'])).toEqual([
      {
        field: 'form_name',
        msg:
          '2 values in 3 records match no accepted drug form and are stored as plain text: ' +
          '"SYSTEM" (2), "Disc" (1)',
        values: [
          { value: 'SYSTEM', count: 2 },
          { value: 'Disc', count: 1 },
        ],
      },
    ])
  })

  it('are at most twenty', () => {
    const forms = Array.from({ length: 50 }, (_, n) => Array(n + 1).fill(`unknown ${n}`)).flat()
    const [warning] = warningsOf(forms)
    expect(warning!.msg).toBe(
      '50 values in 1275 records match no accepted drug form and are stored as plain text: ' +
        '"unknown 49" (50), "unknown 48" (49), "unknown 47" (48), …',
    )
    expect(warning!.values).toHaveLength(20)
  })
})
