import { cellReader } from '#shared/records/csv/cell'
import type { Field } from '#shared/records/record-type'
import { type ColumnValues, type ValueCount, valueKey } from './column-values'
import { isAboutState, knownState } from './states'
import { oppositeOf } from './yes-no'

/**
 * What is written for the values of a column, by `valueKey`: a value of the field, nothing, or null for a row that is
 * left out.
 */
export type Meanings = Readonly<Record<string, string | null>>

/** Words of other programs and languages for the values of fields, in lower case. */
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

/** Kinds that open hospital systems have in the same list, and that are no tests. */
const NO_TESTS: readonly string[] = [
  ...['misc', 'sample', 'department', 'question', 'finding', 'diagnosis', 'symptom', 'drug', 'program', 'convset'],
  ...['misc order', 'workflow', 'state', 'medical supply', 'indicator', 'units of measure', 'location'],
]

/** What a value of a field probably means, null for rows that are left out; undefined if nothing says it. */
export function probableMeaning(field: Field, value: string): string | null | undefined {
  if (field.kind === 'boolean') return knownState(value)
  const key = valueKey(value)
  if (field.name === 'kind' && NO_TESTS.includes(key)) return null
  const word = Object.entries(WORDS[field.name] ?? {}).find(([, words]) => words.includes(key))?.[0]
  return word ?? readableMeaning(field, value)
}

/** The value that the service reads; undefined if it reads none. */
function readableMeaning(field: Field, value: string): string | undefined {
  if (field.kind !== 'enum') return undefined
  const read = cellReader(field)(value)
  return field.values.find((one) => one === read)
}

/** With more different values a column says something else. */
const MOST_VALUES = 30

/**
 * The values of a column that a person must explain: all of them, the rarest first, if the service cannot read one of
 * them. Those of a column of yes and no are errors instead, unless its header or another value says that it is a state.
 *
 * @param isReversed whether the column says the opposite of its field
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
