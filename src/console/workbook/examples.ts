import type { RawRecord, RecordTypeName } from '#shared/records/record-type'

/** Typical records of a clinic, for templates. */
export const EXAMPLES: Readonly<Record<RecordTypeName, readonly RawRecord[]>> = {
  medication: [
    {
      medication_id: '000124',
      name: 'Paracetamol 500 mg + Caffeine 65 mg',
      display_name: 'Paracetamol Plus',
      aliases: ['Acetaminophen with caffeine', 'Panadol Extra'],
      strength: '500 mg + 65 mg',
      generic_name: 'Paracetamol and caffeine',
      generic_list: ['PARACETAMOL', 'CAFFEINE'],
      generic_list_ids: ['G-17', 'G-42'],
      form_name: 'Film-coated tablet',
      sku: '00045',
      therapy_class: 'Analgesic',
      otc: true,
      is_active: true,
    },
    { medication_id: '000123', name: 'Metformin 500 mg', strength: '500 mg', form_name: 'Tablet', is_active: true },
  ],
  lab_test: [
    {
      lab_test_id: 'LT-001',
      name: 'Haemoglobin A1c',
      display_name: 'HbA1c',
      aliases: ['A1C', 'Glycated haemoglobin'],
      kind: 'laboratory',
      result_type: 'numerical',
      loinc: '4548-4',
      discipline: ['biochemistry'],
      specimen: 'Blood',
      unit: '%',
    },
    {
      lab_test_id: 'LT-002',
      name: 'Kidney panel',
      kind: 'panel',
      result_type: 'na',
      panel_members: ['Urea', 'Sodium'],
    },
    {
      lab_test_id: 'LT-003',
      name: 'X-ray of the left wrist',
      kind: 'imaging',
      result_type: 'string',
      laterality: 'left',
    },
  ],
  symptom: [
    { symptom_id: 'S-001', name: 'Headache', aliases: ['Cephalalgia', 'Head pain'], icd10: 'R51', is_active: true },
    { symptom_id: 'S-002', name: 'Menstrual cramps', icd10: 'N94.6', gender: 'F', is_active: true },
  ],
  diagnosis: [
    {
      diagnosis_id: 'D-001',
      name: 'Type 2 diabetes mellitus',
      display_name: 'Type 2 diabetes',
      aliases: ['T2DM', 'Adult-onset diabetes'],
      snomed_id: '44054006',
      icd10: 'E11.9',
      icd10_term: 'Type 2 diabetes mellitus without complications',
      is_active: true,
    },
    { diagnosis_id: 'D-002', name: 'Prostatitis', icd10: 'N41.9', gender: 'M', is_active: true },
  ],
}
