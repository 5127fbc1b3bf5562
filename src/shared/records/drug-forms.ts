import { LruMap } from '#shared/lru-map'
import { ACCEPTED_FORMS } from './drug-forms/accepted'
import { wordsOfForm } from './drug-forms/words'

/**
 * A dosage form of the provider (docs/contract.md#drug-forms). A medication is linked to the form that its
 * `form_name` means.
 */
interface DrugForm {
  /** The words of the name in lower case, joined by `_`. */
  form_id: string
  name: string
  /** Other names of the form. Plurals, abbreviations and other word orders match too. */
  synonyms: readonly string[]
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/[ -]/g, '_')

/** The name of a form with one modifier in the word order of regulators: `Tablet, film-coated`. */
function invertedName(name: string): string[] {
  const [modifier, noun, ...others] = name.split(' ')
  if (modifier === undefined || noun === undefined || others.length > 0) return []
  return [`${noun.charAt(0).toUpperCase()}${noun.slice(1)}, ${modifier.toLowerCase().replaceAll('-', ' ')}`]
}

export const DRUG_FORMS: readonly DrugForm[] = ACCEPTED_FORMS.map(([name, ...synonyms]) => ({
  form_id: idOf(name),
  name,
  synonyms: [...new Set([...synonyms, ...invertedName(name)])],
}))

const idsByWords = new Map<string, string>()
for (const { form_id, name, synonyms } of DRUG_FORMS) {
  for (const known of [name, ...synonyms]) idsByWords.set(wordsOfForm(known), form_id)
}

/** Names that were looked up, with the result: a catalog has few names, each in thousands of records. */
const idsByName = new LruMap<string, string | null>(2000)

/** Longest text that can be a name: the limit of `form_name`. */
const MAX_FORM_NAME_LENGTH = 64

/**
 * The id of the accepted drug form that a text names; null if it names none. JSON, CSV and the console all
 * use this function. Only the text counts: `SYSTEM` is a patch or an implant, depending on its route, so it
 * names no form.
 */
export function formIdOf(formName: string): string | null {
  const found = idsByName.get(formName)
  if (found !== undefined) return found
  const id = formName.length > MAX_FORM_NAME_LENGTH * 2 ? null : (idsByWords.get(wordsOfForm(formName)) ?? null)
  // A copy, because the text of a cell keeps the whole file in memory.
  idsByName.set([...formName].join(''), id)
  return id
}
