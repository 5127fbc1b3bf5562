import { ACCEPTED_FORMS } from '#shared/records/drug-forms/accepted'

/** Common abbreviations and spelling variants of single words. */
const WORDS: Readonly<Record<string, string>> = {
  tab: 'tablet',
  cap: 'capsule',
  inj: 'injection',
  injectable: 'injection',
  inf: 'infusion',
  susp: 'suspension',
  oint: 'ointment',
  soln: 'solution',
  sol: 'solution',
  syr: 'syrup',
  supp: 'suppository',
  powd: 'powder',
  pdr: 'powder',
  liq: 'liquid',
  lot: 'lotion',
  emul: 'emulsion',
  gran: 'granule',
  crm: 'cream',
  conc: 'concentrate',
  loz: 'lozenge',
  eff: 'effervescent',
  disp: 'dispersible',
  chew: 'chewable',
  rel: 'release',
  sr: 'sustained release',
  er: 'extended release',
  xr: 'extended release',
  xl: 'extended release',
  mr: 'modified release',
  dr: 'delayed release',
  ec: 'enteric coated',
  fc: 'film coated',
  sl: 'sublingual',
  gelatine: 'gelatin',
  lyophilized: 'lyophilised',
  nebulizer: 'nebuliser',
  pressurized: 'pressurised',
  vapor: 'vapour',
}

/** Removes a regular English plural. Words of three letters (`gas`) and words that end in `ss` stay. */
const singular = (word: string): string => {
  if (word.length <= 3 || !word.endsWith('s') || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|x)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

/** A word of a form's name without its plural and abbreviation: `tablet` for `tabs`. */
export const fullFormWord = (word: string): string => {
  const one = singular(word)
  // Own properties only: `constructor` is not an abbreviation. `Tabs` and `caps` lose their plural first.
  return Object.hasOwn(WORDS, one) ? WORDS[one]! : one
}

/**
 * The words of a form's name in a fixed order, without plurals and abbreviations: `Tabs, film coated` equals
 * `Film-coated tablet`. Repeated words stay: `CAPSULE, TABLET, TABLET` is a pack of three.
 */
export const wordsOfForm = (name: string): string =>
  name
    .toLowerCase()
    .split(/[\s,()/-]+|\.(?=\s|,|$)/u)
    .filter((word) => word !== '')
    .flatMap((word) => fullFormWord(word).split(' '))
    .toSorted()
    .join(' ')

/** An accepted dosage form (docs/contract.md#dosage-forms). */
interface DrugForm {
  /** The words of the name in lower case, joined by `_`. */
  form_id: string
  name: string
  /** Other names of the form. Plurals, abbreviations and other word orders match too. */
  synonyms: readonly string[]
}

const idOf = (name: string): string => name.toLowerCase().replaceAll(/[ -]/g, '_')

/** The name of a form with one modifier, in the word order of regulators: `Tablet, film-coated`. */
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
  for (const formName of [name, ...synonyms]) idsByWords.set(wordsOfForm(formName), form_id)
}

/** Cache of lookups: a catalog has few names of forms, each in thousands of records. */
const idsByName = new Map<string, string | null>()
const MOST_NAMES = 2000

export const formNameOf = (formId: string): string | undefined => NAMES.get(formId)

const NAMES: ReadonlyMap<string, string> = new Map(DRUG_FORMS.map(({ form_id, name }) => [form_id, name]))

/** Longest text that can be a name: the limit of `form_name`. */
const MAX_FORM_NAME_LENGTH = 64

/**
 * The ID of the accepted dosage form that a text names; otherwise null. Uses the text alone, so `SYSTEM` names none: it
 * is a patch or an implant, depending on the route.
 */
export function formIdOf(formName: string): string | null {
  const cachedId = idsByName.get(formName)
  if (cachedId !== undefined) return cachedId
  const id = formName.length > MAX_FORM_NAME_LENGTH * 2 ? null : (idsByWords.get(wordsOfForm(formName)) ?? null)
  // A copy, because a substring of a cell would keep the whole file in memory.
  if (idsByName.size >= MOST_NAMES) idsByName.clear()
  idsByName.set([...formName].join(''), id)
  return id
}
