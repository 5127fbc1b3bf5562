import { answered, CREATED_AT, type Example, pageWith, sending } from './example'

export const MEDICATION = {
  medication_id: 'MED-1001',
  name: 'Metformin hydrochloride 500 mg',
  display_name: 'Metformin 500',
  aliases: ['Glucophage'],
  strength: '500 mg',
  generic_name: 'Metformin',
  generic_list: ['METFORMIN HYDROCHLORIDE'],
  form_name: 'Tablet',
  manufacturer: 'Example Pharma',
  otc: false,
} as const

export const RETURNED_MEDICATION = {
  ...MEDICATION,
  generic_id: null,
  generic_list_ids: [],
  form_id: 'tablet',
  sku: null,
  schedule_code: null,
  custom_type: null,
  therapy_class: null,
  therapy_class_id: null,
  action_class: null,
  action_class_id: null,
  is_active: true,
  refid: null,
  updated_at: CREATED_AT,
} as const

const CSV =
  'medication_id,name,aliases,strength,form_name\n' +
  'MED-1001,Metformin hydrochloride 500 mg,Glucophage,500 mg,Tablet\n'

export const CSV_CHANGES =
  'change,id,name,field,old,new\nupdated,MED-1001,Metformin hydrochloride 500 mg,strength,250 mg,500 mg\n'

export const EXAMPLE_COUNTS = {
  total: 1,
  inserted: 1,
  updated: 0,
  reactivated: 0,
  unchanged: 0,
  deactivated: 0,
}

export const BATCH = {
  batch_id: '4d7f2c4e-6d0b-4d0e-9a52-1f7f0f6f3a11',
  type: 'medication',
  mode: 'reconcile',
  file_name: 'medications.csv',
  size_bytes: 110,
  ...EXAMPLE_COUNTS,
  warnings: 0,
  revision: 1,
  created_by: 'dcs_client_example',
  created_at: CREATED_AT,
}

const exampleType = { type: 'medication' }

const EXAMPLE_SEARCH_STATUS = { type: 'medication', enabled: true, updated_at: CREATED_AT }

const FOUND = answered('1 matches', {
  ...exampleType,
  source: 'workspace',
  items: [RETURNED_MEDICATION],
  count: 1,
  approximate: 0,
  has_more: false,
})

export const catalogExamples: Readonly<Record<string, Example>> = {
  listRecords: {
    query: { ...exampleType, q: 'metformin', match: 'all', form_id: 'tablet', sort: 'name', limit: '100' },
    answer: {
      'application/json': pageWith(RETURNED_MEDICATION),
      'text/csv': CSV,
    },
  },
  writeRecords: {
    query: { ...exampleType, mode: 'upsert' },
    body: {
      'application/json': [MEDICATION],
      'text/csv': CSV,
      'application/csv': CSV,
      'application/vnd.ms-excel': CSV,
      'multipart/form-data': { file: CSV },
    },
    ...answered(
      '1 record written: 1 inserted',
      {
        ...exampleType,
        mode: 'upsert',
        dry_run: false,
        ...EXAMPLE_COUNTS,
        active_before: 0,
        active_after: 1,
        revision: 1,
        epoch: BATCH.batch_id,
        warnings: [],
      },
      CSV_CHANGES,
    ),
  },
  listBatches: {
    query: exampleType,
    ...answered('Latest CSV uploads', { latest: BATCH, ...pageWith(BATCH) }),
  },
  getSearchStatus: { query: exampleType, ...answered('Search is enabled', EXAMPLE_SEARCH_STATUS) },
  setSearchStatus: {
    query: exampleType,
    ...sending({ enabled: true }),
    ...answered('Search enabled', EXAMPLE_SEARCH_STATUS),
  },
  listDrugForms: {
    query: exampleType,
    ...answered('1 accepted drug forms', {
      items: [{ form_id: 'tablet', name: 'Tablet', synonyms: ['Tab', 'Tabs', 'Tablets'] }],
      count: 1,
    }),
  },
  getRecord: {
    path: { entity_id: MEDICATION.medication_id },
    query: exampleType,
    ...answered('medication found', RETURNED_MEDICATION),
  },
  searchMedicalDatabase: { query: { ...exampleType, q: 'metf', limit: '20' }, ...FOUND },
  searchMedicalDatabaseByPost: { ...sending({ ...exampleType, q: 'metf', limit: 20 }), ...FOUND },
}
