import { defineRecordType } from '../record-type'

export const medication = defineRecordType({
  name: 'medication',
  title: 'medication',
  nameHeaders: ['drug_name', 'medicine_name'],
  fields: [
    {
      kind: 'string',
      name: 'strength',
      maxLength: 32,
      description: 'Strength as printed, for example `500 mg`.',
    },
    { kind: 'string', name: 'generic_name', maxLength: 300, description: 'Generic name.' },
    { kind: 'string', name: 'generic_id', maxLength: 64, description: 'Id of the generic.' },
    {
      kind: 'list',
      name: 'generic_list',
      maxLength: 100,
      separator: '+',
      headers: ['generics', 'salts'],
      description: 'All generic (salt) components.',
    },
    {
      kind: 'list',
      name: 'generic_list_ids',
      maxLength: 64,
      separator: '+',
      description: 'Ids of the generic components.',
    },
    {
      kind: 'string',
      name: 'form_name',
      maxLength: 64,
      headers: ['form', 'dosage_form', 'drug_form'],
      description: 'Dosage form; one of the accepted drug forms links the medication to it (`form_id`).',
    },
    { kind: 'string', name: 'sku', maxLength: 64, description: 'Stock keeping unit.' },
    {
      kind: 'string',
      name: 'schedule_code',
      maxLength: 32,
      description: 'Schedule of controlled substances.',
    },
    { kind: 'string', name: 'custom_type', maxLength: 64, description: "The caller's own classification." },
    { kind: 'string', name: 'therapy_class', maxLength: 128, description: 'Therapeutic class.' },
    { kind: 'string', name: 'therapy_class_id', maxLength: 64, description: 'Id of the therapeutic class.' },
    { kind: 'string', name: 'action_class', maxLength: 128, description: 'Class by mode of action.' },
    { kind: 'string', name: 'action_class_id', maxLength: 64, description: 'Id of the action class.' },
    {
      kind: 'string',
      name: 'manufacturer',
      maxLength: 200,
      headers: ['manufacturer_name', 'company'],
      description: 'Manufacturer.',
    },
    { kind: 'boolean', name: 'otc', description: 'Sold over the counter.' },
  ],
})
