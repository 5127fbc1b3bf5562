import { describe, expect, it } from 'vitest'
import { betterType } from '#console/page/upload/catalog-fit'
import { type CsvFile, readCsvFile } from '#console/page/upload/read-file'
import { partsOf } from '#console/page/upload/work/parts'
import { Table } from '#console/page/upload/work/table'
import { recordTypes } from '#records/record-types'
import { medication } from '#records/types/medication'

/** What is sent of a file. */
const sent = (csv: CsvFile) => {
  const bytes = new TextEncoder().encode(csv.text)
  const [part] = partsOf(new Table(csv), bytes)
  return part!.content.text()
}

const read = (text: string, mapping = {}) => readCsvFile(new TextEncoder().encode(text), medication, mapping)

describe('a file with title rows above its header row', () => {
  const csv = read('Price list;;\n"As of\nNovember";;\n;;\nid;name;strength\n1;A;5 mg\n')

  it('is read from the row that names the most fields, with the row numbers of the spreadsheet', () => {
    expect(csv).toMatchObject({ titleRows: 3, headerRow: 4, header: ['id', 'name', 'strength'], rows: 1 })
  })

  it('is sent without them', async () => {
    expect(await sent(csv)).toBe('id,name,strength\r\n1,A,5 mg\r\n')
  })
})

describe('a column', () => {
  const csv = read('id,name,strenght,Dose,Colour\n1,A,5 mg,x,red\n2,B,5 mg,,blue\n')
  const decided = (file: typeof csv) => file.fileColumns.map(({ field, by }) => [field?.name, by])

  it('whose header is near that of a field is guessed to be that field, once', async () => {
    expect(decided(csv)).toEqual([
      ['medication_id', 'known'],
      ['name', 'known'],
      ['strength', 'guessed'],
      [undefined, undefined],
      [undefined, undefined],
    ])
    expect(csv.fileColumns[2]!.examples).toEqual(['5 mg'])
    expect(csv.ignored).toEqual(['Dose', 'Colour'])
    expect(await sent(csv)).toContain('id,name,strength,Dose,Colour\r\n1,A,5 mg,x,red')
  })

  it('goes where the person wants it, or nowhere', async () => {
    const chosen = read(csv.text, { dose: 'strength', strenght: null, colour: 'custom_type' })
    expect(decided(chosen).slice(2)).toEqual([
      [undefined, 'chosen'],
      ['strength', 'chosen'],
      ['custom_type', 'chosen'],
    ])
    expect(await sent(chosen)).toBe('id,name,strength,custom_type\r\n1,A,x,red\r\n2,B,,blue\r\n')
  })

  it('is not guessed where another one has the field', () => {
    expect(decided(read('id,name,strength,Dose\n'))[3]).toEqual([undefined, undefined])
  })
})

it('a file that is as the service takes it is sent as it is', async () => {
  const text = '\nid,name,Colour,_errors\n1,A,red,\n'
  expect(await sent(read(text))).toBe(text)
})

describe('a header row', () => {
  it.each([
    ['medication', 'symptom_id,name,icd10', 'symptom'],
    ['symptom', 'id,test_name,kind,unit', 'lab_test'],
    ['lab_test', 'code,drug_name,strength,form', 'medication'],
    ['symptom', 'diagnosis_id,name', 'diagnosis'],
    ['medication', 'id,name', undefined],
    ['symptom', 'id,name,icd10,snomed', undefined],
    ['medication', 'id,name,strength,unit', undefined],
  ] as const)('chosen as %s, %s is %s', (chosen, header, better) => {
    expect(betterType(header.split(','), recordTypes[chosen])?.name).toBe(better)
  })
})
