import { compactHeader } from '#shared/records/csv/header'
import { OPPOSITE_HEADERS, OTHER_HEADERS } from '#shared/records/csv/state-headers'
import { type Field, fieldNamed, type RecordType } from '#shared/records/record-type'
import { ID, meaningByWords } from './header-meaning'

/** A header followed by a language: `Name:fr`, `name:pt-BR`. */
const WITH_LANGUAGE = /^(.+?)\s*:\s*[a-z]{2}(?:[-_][a-z]{2})?$/i

/** A header without its language; undefined if it has none. */
export const withoutLanguage = (header: string): string | undefined => WITH_LANGUAGE.exec(header.trim())?.[1]

interface UsualMeaning {
  /** The type's field is the first of these that it has. */
  fields: readonly string[]
  reversed?: true
}

const meaning = (fields: string, headers: string, more: Omit<UsualMeaning, 'fields'> = {}): [string, UsualMeaning][] =>
  headers
    .trim()
    .split(/\s+/)
    .map((header) => [header, { fields: fields.split(' '), ...more }])

/**
 * Headers whose usual meaning does not follow from their words, in the form of `compactHeader`. Collected from public
 * lists in English, French, Spanish, Portuguese, German and Italian.
 */
const USUAL_HEADERS: ReadonlyMap<string, UsualMeaning> = new Map([
  ...meaning(ID, 'recordid conceptid codecis cis reference'),
  ...meaning('display_name', 'printname'),
  ...meaning('aliases', 'brandnames brandequivalents brands'),
  ...meaning('generic_name', 'propername'),
  ...meaning('strength', 'strengthvalue'),
  ...meaning(
    'therapy_class discipline',
    `category drugclass group class1 categorie famille categoria clasificacion clase grupo gruppe kategorie classe
    wirkstoffgruppe indikationsgruppe`,
  ),
  ...meaning('otc', 'overthecounter isotc nonprescription rezeptfrei ventalibre'),
  ...meaning('specimen', 'specimensource material'),
  ...meaning('kind', 'testkind dataclass class conceptclass typeoftest'),
  ...meaning('discipline', 'department section labsection discipline1 disciplina fachgebiet seccion'),
  ...meaning('panel_members', 'setmembers paneltests testsinpanel componenttests components'),
  ...meaning('is_active', OTHER_HEADERS),
  ...meaning('is_active', OPPOSITE_HEADERS, { reversed: true }),
])

/**
 * The usual field of a header, and whether the column means its opposite.
 *
 * @param isWeak whether to accept vague ones
 */
export function usualMeaning(
  header: string,
  type: RecordType,
  isWeak = true,
): { field: Field; reversed: boolean } | undefined {
  const { fields = [], reversed: isReversed = false } = USUAL_HEADERS.get(compactHeader(header)) ?? {}
  const usual = fields.map((name) => fieldNamed(type, name === ID ? type.idField : name))
  const field = usual.find((one) => one !== undefined) ?? fieldNamed(type, meaningByWords(header, type, isWeak) ?? null)
  return field && { field, reversed: isReversed }
}
