import { defineRecordType, list, oneOf, text } from '#shared/records/record-type'

export const KINDS = ['imaging', 'laboratory', 'functional', 'special_test', 'package', 'panel'] as const

export const labTest = defineRecordType({
  name: 'lab_test',
  title: 'lab test',
  plural: 'lab tests',
  nameHeaders: ['test_name'],
  fields: [
    oneOf('kind', 4, KINDS, 'Kind of test.', { required: true, headers: ['test_type'] }),
    oneOf('result_type', 5, ['numerical', 'ordinal', 'string', 'na'], 'Type of the result.', { required: true }),
    text('loinc', 6, 32, 'LOINC code; not checked against the vocabulary.', {
      searchedAs: 'code',
      checkDigit: 'loinc',
      headers: ['loinc_code'],
    }),
    list('discipline', 7, 100, 'For example biochemistry, hematology, micro, molecular, cardiology.'),
    text('specimen', 8, 100, 'Specimen; required for `laboratory`.'),
    text('unit', 9, 32, 'Unit of the result; required for `numerical`.', { headers: ['units'] }),
    text('unit_id', 10, 64, 'ID of the unit.'),
    list('panel_members', 11, 200, 'Names of the member tests; required for `panel`.', { headers: ['members'] }),
    list('panel_member_ids', 12, 200, 'IDs of the member tests.'),
    text('method', 13, 100, 'For example ELISA, RAPID_ICT, CHEMILUMINESCENCE (CLIA).'),
    text('body_part', 14, 100, 'Body part; imaging only.'),
    text('laterality', 15, 32, 'Laterality; imaging only.'),
    text('view', 16, 64, 'View; imaging only.'),
  ],
  conditions: [
    { field: 'specimen', when: { field: 'kind', equals: 'laboratory' }, rule: 'required' },
    { field: 'unit', when: { field: 'result_type', equals: 'numerical' }, rule: 'required' },
    { field: 'panel_members', when: { field: 'kind', equals: 'panel' }, rule: 'required' },
    { field: 'body_part', when: { field: 'kind', equals: 'imaging' }, rule: 'expected' },
    { field: 'laterality', when: { field: 'kind', equals: 'imaging' }, rule: 'expected' },
    { field: 'view', when: { field: 'kind', equals: 'imaging' }, rule: 'expected' },
  ],
})
