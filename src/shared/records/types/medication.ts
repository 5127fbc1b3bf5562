import { formIdOf } from '#shared/records/drug-forms'
import { defineRecordType, list, text } from '#shared/records/record-type'

const FORM_NAME = 'Dosage form; one of the accepted dosage forms links the medication to it (`form_id`).'

export const medication = defineRecordType({
  name: 'medication',
  title: 'medication',
  plural: 'medications',
  nameHeaders: ['drug_name', 'medicine_name'],
  fields: [
    text('strength', 4, 32, 'Strength as printed, for example `500 mg`.', { searchedAs: 'text' }),
    text('generic_name', 5, 300, 'Generic name.', { searchedAs: 'text' }),
    text('generic_id', 6, 64, 'ID of the generic.', { searchedAs: 'code' }),
    list('generic_list', 7, 100, 'All generic (salt) components.', {
      searchedAs: 'text',
      separator: '+',
      headers: ['generics', 'salts'],
    }),
    list('generic_list_ids', 8, 64, 'IDs of the generic components.', { searchedAs: 'code', separator: '+' }),
    text('form_name', 9, 64, FORM_NAME, { searchedAs: 'form', headers: ['form', 'dosage_form', 'drug_form'] }),
    text('sku', 10, 64, 'Stock keeping unit.', { searchedAs: 'code' }),
    text('schedule_code', 11, 32, 'Schedule of controlled substances.'),
    text('custom_type', 12, 64, "The caller's own classification."),
    text('therapy_class', 13, 128, 'Therapeutic class.'),
    text('therapy_class_id', 14, 64, 'ID of the therapeutic class.'),
    text('action_class', 15, 128, 'Class by mode of action.'),
    text('action_class_id', 16, 64, 'ID of the action class.'),
    text('manufacturer', 17, 200, 'Manufacturer.', { headers: ['manufacturer_name', 'company'] }),
    { kind: 'boolean', name: 'otc', slot: 18, description: 'Sold over the counter.' },
  ],
  derived: [
    {
      kind: 'derived',
      name: 'form_id',
      from: 'form_name',
      derive: formIdOf,
      unmatchedText: 'without an accepted dosage form, stored as plain text',
      description: 'ID of the accepted dosage form that `form_name` names.',
    },
  ],
})
