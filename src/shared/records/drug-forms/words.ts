/** Usual abbreviations and other spellings of single words. */
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

/** Removes a regular English plural. Words of three letters (`gas`) and words in `ss` stay. */
const singular = (word: string): string => {
  if (word.length <= 3 || !word.endsWith('s') || word.endsWith('ss')) return word
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return /(?:ch|sh|x)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1)
}

const fullWord = (word: string): string => {
  const one = singular(word)
  // Own properties only: `constructor` is not an abbreviation. `Tabs` and `caps` lose their plural first.
  return Object.hasOwn(WORDS, one) ? WORDS[one]! : one
}

/**
 * The words of a form's name in a fixed order, so that `Tabs, film coated` and `Film-coated tablet` are the
 * same. Ignores case, white space, hyphens, commas, brackets and the full stop of an abbreviation; knows
 * plurals and abbreviations. A word that occurs twice counts twice: `CAPSULE, TABLET, TABLET` is a pack of
 * three and not a form.
 */
export const wordsOfForm = (name: string): string =>
  name
    .toLowerCase()
    .split(/[\s,()/-]+|\.(?=\s|,|$)/u)
    .filter((word) => word !== '')
    .flatMap((word) => fullWord(word).split(' '))
    .toSorted()
    .join(' ')
