import type { CellChoice, Doubt, DoubtfulCell } from '#files/cells/cell-questions'
import type { RecordType } from '#shared/records/record-type'
import { nameAmbiguous } from '../../wording'

type SingleChoice = Exclude<CellChoice, ReadonlyMap<string, string>>
type CellText = (first: DoubtfulCell, type: RecordType) => string

interface DoubtTexts {
  one: string
  what: string
  reason: string
  choices: readonly (readonly [SingleChoice, CellText])[]
  /** Whether the texts can be retyped, because the originals are lost. */
  isLost?: true
}

const STORED: readonly [SingleChoice, CellText] = ['stored', ({ stored }) => `The stored value, such as ${stored}`]
const SHOWN: readonly [SingleChoice, CellText] = [
  'shown',
  ({ shown }) => `As shown in the spreadsheet, such as ${shown}`,
]
const AS_IT_STANDS: readonly [SingleChoice, CellText] = ['shown', ({ shown }) => `Keep it as it is, such as “${shown}”`]
const EMPTY: readonly [SingleChoice, CellText] = ['empty', () => 'Clear these cells']

/** Texts by the reason why cells are ambiguous. */
export const DOUBTS: Readonly<Record<Doubt, DoubtTexts>> = {
  rounded: {
    one: 'rounded number',
    what: 'rounded numbers',
    reason: 'The spreadsheet rounds these numbers, or shows them as fractions.',
    choices: [STORED, SHOWN],
  },
  percent: {
    one: 'percentage',
    what: 'percentages',
    reason: 'The spreadsheet shows these numbers as percentages.',
    choices: [STORED, SHOWN],
  },
  shortened: {
    one: 'long number',
    what: 'long numbers',
    reason: 'The spreadsheet shortens these long numbers.',
    choices: [STORED, SHOWN],
  },
  date: {
    one: 'date',
    what: 'dates',
    reason: 'The spreadsheet has turned these cells into dates. What was typed, such as “5-10”, is lost.',
    choices: [['stored', ({ stored }) => `The date, such as ${stored}`], SHOWN, EMPTY],
    isLost: true,
  },
  formula: {
    one: 'formula',
    what: 'formulas',
    reason:
      'These cells have formulas, but the file does not have the results. You can also open the file in ' +
      'the spreadsheet program, save it, and choose it again.',
    choices: [EMPTY],
    isLost: true,
  },
  hidden: {
    one: 'hidden value',
    what: 'hidden values',
    reason: 'The spreadsheet shows these cells as empty, although they have a value.',
    choices: [STORED, ['shown', () => 'Keep these cells empty']],
  },
  merged: {
    one: 'merged cell',
    what: 'merged cells',
    reason: 'These rows share one merged cell. Its value is stored only in the first row.',
    choices: [
      ['stored', ({ stored }) => `The value in every row, such as ${stored}`],
      ['shown', () => 'The value in the first row only; the other rows stay empty'],
    ],
  },
  writtenDate: {
    one: 'date',
    what: 'dates',
    reason:
      'These cells are dates. A spreadsheet program turns text such as “5-3” into a date, and what was ' +
      'typed is lost.',
    choices: [AS_IT_STANDS, EMPTY],
    isLost: true,
  },
  lostDigits: {
    one: 'shortened number',
    what: 'shortened numbers',
    reason:
      'A spreadsheet program has shortened these numbers, and their last digits are lost. Look them up ' +
      'and type them here, or give the column the format “Text” in the spreadsheet and choose the file ' +
      'again.',
    choices: [AS_IT_STANDS, EMPTY],
    isLost: true,
  },
  decimal: {
    one: 'number with “.0”',
    what: 'numbers with “.0”',
    reason: 'A program has read these IDs as numbers and added “.0”.',
    choices: [['stored', ({ stored, shown }) => `Without it: ${shown} becomes ${stored}`], AS_IT_STANDS],
  },
  failed: {
    one: 'spreadsheet error',
    what: 'spreadsheet errors',
    reason: 'A formula in these cells has failed.',
    choices: [EMPTY, AS_IT_STANDS],
    isLost: true,
  },
  placeholder: {
    one: 'cell that probably means “no value”',
    what: 'cells that probably mean “no value”',
    reason: 'People and programs often write this when there is no value.',
    choices: [EMPTY, AS_IT_STANDS],
  },
  broken: {
    one: 'text with wrong characters',
    what: 'texts with wrong characters',
    reason: 'Some characters look wrong: another program has probably misread them. Which version is right?',
    choices: [
      ['stored', ({ stored, shown }) => (stored === '' ? 'The repaired version' : `${stored}, not ${shown}`)],
      AS_IT_STANDS,
    ],
  },
  joined: {
    one: 'cell that may be several',
    what: 'cells that may be several',
    reason: 'Are these several? The frames show what each cell would become.',
    choices: [
      ['stored', () => 'Yes, they are several'],
      ['shown', ({ shown }) => `No, each is one, such as “${shown}”`],
    ],
  },
  lookalike: {
    one: 'ID with letters of another alphabet',
    what: 'IDs with letters of another alphabet',
    reason: 'Some letters look Latin but belong to another alphabet, so these are different IDs.',
    choices: [
      ['stored', ({ stored, shown }, { title }) => `The same ${title}: ${nameAmbiguous(shown)} becomes ${stored}`],
      ['shown', (_, { title }) => `Another ${title}: the IDs stay as they are`],
    ],
  },
  lineBreak: {
    one: 'text with line breaks',
    what: 'texts with line breaks',
    reason: 'These texts run over several lines.',
    choices: [
      ['stored', ({ stored }) => `One line: ${stored}`],
      ['shown', () => 'Keep the lines as they are'],
    ],
  },
  blank: {
    one: 'blank cell',
    what: 'blank cells',
    reason: 'These rows do not say whether they are active.',
    choices: [
      ['keep', () => 'As in the catalog: nothing changes, and new ones are active'],
      ['yes', () => 'Yes, they are active'],
      ['no', () => 'No, they are inactive'],
    ],
  },
}
