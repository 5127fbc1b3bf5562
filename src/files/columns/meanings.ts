import { cellReader } from '#shared/records/csv/cell'
import type { Field } from '#shared/records/record-type'
import { type ColumnValues, type ValueCount, valueKey } from './column-values'
import { isAboutState, knownState } from './states'
import { oppositeOf } from './yes-no'

/**
 * The text to write for each value of a column, by `valueKey`: a value of the field, nothing, or null to exclude the
 * row.
 */
export type Meanings = Readonly<Record<string, string | null>>

/** Words of other systems and languages for the values of fields, in lower case. */
const WORDS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  kind: {
    laboratory: [
      ...['labtest', 'lab test', 'lab', 'laboratory test', 'test', 'single', 'single test', 'analyte', 'labor'],
      ...['laboratoire', 'laboratorio', 'laboratório', 'laborwert', 'examen de laboratoire', 'biochemistry'],
    ],
    panel: [...['labset', 'lab set', 'profile', 'group', 'battery', 'set', 'profil', 'perfil', 'groupe', 'gruppe']],
    imaging: ['radiology', 'radiology/imaging procedure', 'x-ray', 'xray', 'imagerie', 'imagen', 'bildgebung', 'rx'],
    package: ['bundle', 'paket', 'paquet', 'paquete', 'pacote'],
    special_test: ['special'],
    functional: ['function test', 'functional test', 'physiology'],
  },
  result_type: {
    numerical: [
      ...['numeric', 'number', 'quantitative', 'decimal', 'integer', 'float', 'real', 'qn', 'nm', 'numérique', 'zahl'],
      ...['numérico', 'numerico', 'numerisch', 'quantitativ', 'quantitatif', 'cuantitativo', 'quantitativo'],
    ],
    ordinal: [
      ...[
        'coded',
        'code',
        'ord',
        'qualitative',
        'select',
        'list',
        'option',
        'options',
        'dropdown',
        'boolean',
        'choice',
      ],
      ...['semiquantitative', 'qualitatif', 'qualitativ', 'cualitativo', 'qualitativo', 'ordinaire', 'codé', 'kodiert'],
    ],
    string: ['text', 'free text', 'narrative', 'nar', 'st', 'alphanumeric', 'texte', 'texto', 'testo', 'freitext'],
    na: ['n/a', 'n.a.', 'none', '-', 'not applicable', 'nil', 'sin resultado', 'aucun', 'keine'],
  },
  gender: {
    M: ['m', 'man', 'men', 'mann', 'männlich', 'homme', 'masculin', 'hombre', 'masculino', 'maschile', 'mannelijk'],
    F: [
      'f',
      'w',
      'woman',
      'women',
      'frau',
      'weiblich',
      'femme',
      'féminin',
      'mujer',
      'femenino',
      'femminile',
      'feminino',
    ],
    '': ['both', 'all', 'any', 'b', 'm/f', 'unisex', 'beide', 'tous', 'les deux', 'ambos', 'todos', 'entrambi'],
  },
}

/** Kinds of entries in the same list of open-source hospital systems that are not tests. */
const NO_TESTS: readonly string[] = [
  ...['misc', 'sample', 'department', 'question', 'finding', 'diagnosis', 'symptom', 'drug', 'program', 'convset'],
  ...['misc order', 'workflow', 'state', 'medical supply', 'indicator', 'units of measure', 'location'],
]

/** The probable meaning of a field's value, null for rows to exclude; undefined if unknown. */
export function probableMeaning(field: Field, value: string): string | null | undefined {
  if (field.kind === 'boolean') return knownState(value)
  const key = valueKey(value)
  if (field.name === 'kind' && NO_TESTS.includes(key)) return null
  const word = Object.entries(WORDS[field.name] ?? {}).find(([, words]) => words.includes(key))?.[0]
  return word ?? readableMeaning(field, value)
}

/** The value as the service reads it; undefined if it cannot. */
function readableMeaning(field: Field, value: string): string | undefined {
  if (field.kind !== 'enum') return undefined
  const read = cellReader(field)(value)
  return field.values.find((one) => one === read)
}

/** A column with more distinct values means something else. */
const MOST_VALUES = 30

/**
 * The values of a column that the user must explain: all of them, rarest first, if the service cannot read one of them.
 * In a yes/no column, unreadable values are errors instead, unless its header or a value is about a state.
 *
 * @param isReversed whether the column means the opposite of its field
 */
export function valuesToExplain(
  header: string,
  field: Field,
  { values, isComplete }: ColumnValues,
  isReversed: boolean,
): readonly ValueCount[] | undefined {
  if ((field.kind !== 'boolean' && field.kind !== 'enum') || !isComplete || values.length > MOST_VALUES)
    return undefined
  const read = cellReader(field)
  const isReadable = ({ value }: ValueCount) =>
    field.kind === 'boolean'
      ? typeof read(isReversed ? oppositeOf(value) : value) === 'boolean'
      : readableMeaning(field, value) !== undefined
  const unreadable = values.filter((one) => !isReadable(one)).map(({ value }) => value)
  if (unreadable.length === 0 || (field.kind === 'boolean' && !isAboutState(header, unreadable))) return undefined
  return values.toSorted((a, b) => a.count - b.count)
}

/** Whether every value has a meaning. */
export const areExplained = (values: readonly ValueCount[], meanings: Meanings = {}): boolean =>
  values.every(({ value }) => Object.hasOwn(meanings, valueKey(value)))
