import { expect, it } from 'vitest'
import { codesOf } from '#worker/search/query/codes'

it.each([
  ['A203843-002', ['a203843002'], ['a203843002']],
  ['91375', ['91375', '091375', '0091375', '00091375', '000091375'], ['91375']],
  ['0091375', ['0091375', '91375', '091375', '00091375', '000091375'], ['0091375']],
  ['ICD-10: I42.0', ['icd10i420', 'i420'], ['icd10i420', 'i420']],
  ['LOINC 718-7', ['loinc7187', '7187', '07187', '007187', '0007187', '00007187'], ['loinc7187', '7187']],
  ['20 mg', ['20mg'], ['20mg']],
  ['020', ['020'], ['020']],
  ['upc', ['upc'], []],
  ['--', [], []],
])('%j may be one of these codes, or the beginning of one', (q, whole, beginnings) => {
  expect(codesOf(q)).toEqual({ whole, beginnings })
})

it.each([
  ['NDC 0093-7212-01', '00093721201'],
  ['50580-449-5', '50580044905'],
])('the parts of the National Drug Code %j may have leading zeros', (q, code) => {
  expect(codesOf(q).whole).toContain(code)
})
