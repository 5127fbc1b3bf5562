import { fullFormWord, wordsOfForm } from '#shared/records/drug-forms'
import { ACCEPTED_FORMS } from '#shared/records/drug-forms/accepted'

/** Synonyms and abbreviations that search knows (docs/contract.md#text-search). */

/** Words for the release type of a medication, with their meaning. */
const RELEASES: ReadonlyMap<string, Release> = new Map(
  (
    [
      ['er', ['er', 'xr', 'sr', 'xl', 'la', 'cr', 'extended', 'prolonged', 'sustained', 'controlled']],
      ['dr', ['dr', 'ec', 'delayed', 'enteric', 'resistant']],
      ['mr', ['mr', 'modified']],
    ] as const
  ).flatMap(([release, words]) => words.map((word) => [word, release] as const)),
)

/** Extended, delayed or modified release. */
export type Release = 'er' | 'dr' | 'mr'

export const releaseNamed = (word: string): Release | undefined => RELEASES.get(word)

/** Words in names of dosage forms that mean nothing on their own. */
const FORM_FILLERS: ReadonlySet<string> = new Set(['for', 'and'])

const contentWords = (formName: string): string[] =>
  wordsOfForm(formName)
    .split(' ')
    .filter((word) => word !== '' && !FORM_FILLERS.has(word))

/** Every word of the accepted dosage forms, as `wordsOfForm` spells it. */
const FORM_WORDS: ReadonlySet<string> = new Set(ACCEPTED_FORMS.flat().flatMap(contentWords))

/** The word of a dosage form that this word means: `tablet` for `tabs`. */
export function formWordNamed(word: string): string | undefined {
  const full = fullFormWord(word)
  return FORM_WORDS.has(full) ? full : undefined
}

/** Fewest letters of a word that may be the beginning of a word of a dosage form. */
const FORM_BEGINNING_FROM = 3

/** Whether a word of a dosage form begins with this word. */
export const beginsFormWord = (word: string): boolean =>
  word.length >= FORM_BEGINNING_FROM && [...FORM_WORDS].some((formWord) => formWord.startsWith(word))

/** Prefixes of the facts about the form in a record's search text. */
export const FORM_MARK = ':'
export const RELEASE_MARK = '!'

/** The facts by which search finds the form of a medication. @param acceptedName name of the accepted form, if any */
export function formFacts(formName: string, acceptedName: string | undefined): string[] {
  const words = new Set([...contentWords(formName), ...contentWords(acceptedName ?? '')])
  const releases = new Set([...words].flatMap((word) => releaseNamed(word) ?? []))
  return [...[...words].map((word) => FORM_MARK + word), ...[...releases].map((release) => RELEASE_MARK + release)]
}

/** Words for salts, which say little about what a medication is. */
const SALTS: ReadonlySet<string> = new Set(
  (
    'acetate aluminium aluminum benzoate besilate besylate bitartrate bromide calcium carbonate chloride citrate ' +
    'fumarate gluconate hydrobromide hydrochloride iodide lactate lithium magnesium maleate malate mesilate mesylate ' +
    'nitrate oxalate pamoate phosphate potassium sodium stearate succinate sulfate sulphate tartrate tosylate zinc'
  ).split(' '),
)

/** Whether a folded word is the name of a salt or its abbreviation. */
export const isSalt = (word: string): boolean => SALTS.has(OTHER_NAMES.get(word) ?? word)

/** Abbreviations in names (`losartan hctz`), except those of several drugs: `asa` would find 5-ASA. */
const ABBREVIATIONS: readonly (readonly [abbreviation: string, name: string])[] = [
  ['hcl', 'hydrochloride'],
  ['hbr', 'hydrobromide'],
  ['na', 'sodium'],
  ['ca', 'calcium'],
  ['so4', 'sulfate'],
  ['po4', 'phosphate'],
  ['hctz', 'hydrochlorothiazide'],
  ['hct', 'hydrochlorothiazide'],
  ['apap', 'acetaminophen'],
]

/**
 * Two nonproprietary names of one substance (INN or BAN, and USAN or an earlier BAN), or two spellings of a salt, as
 * pairs `one/other` of single words.
 */
const SAME_NAMES: readonly (readonly [string, string])[] = `
  sulphate/sulfate mesilate/mesylate besilate/besylate
  aciclovir/acyclovir adrenaline/epinephrine alimemazine/trimeprazine amfetamine/amphetamine amoxicillin/amoxycillin
  amylobarbitone/amobarbital beclometasone/beclomethasone bendroflumethiazide/bendrofluazide benzhexol/trihexyphenidyl
  busulfan/busulphan cefalexin/cephalexin cefazolin/cephazolin cefradine/cephradine chlorphenamine/chlorpheniramine
  chlortalidone/chlorthalidone ciclosporin/cyclosporine clomethiazole/chlormethiazole clomifene/clomiphene
  colecalciferol/cholecalciferol colestyramine/cholestyramine cromoglicate/cromolyn deferoxamine/desferrioxamine
  dexamfetamine/dextroamphetamine dicycloverine/dicyclomine dosulepin/dothiepin ergometrine/ergonovine
  estradiol/oestradiol estriol/oestriol estrogens/oestrogens formoterol/eformoterol frusemide/furosemide
  glibenclamide/glyburide guaifenesin/guaiphenesin hydroxycarbamide/hydroxyurea hyoscine/scopolamine
  indometacin/indomethacin isoprenaline/isoproterenol levomepromazine/methotrimeprazine lignocaine/lidocaine
  meclozine/meclizine mercaptamine/cysteamine mesalazine/mesalamine metamizole/dipyrone methenamine/hexamine
  methylergometrine/methylergonovine mitoxantrone/mitozantrone noradrenaline/norepinephrine
  orciprenaline/metaproterenol paracetamol/acetaminophen pentobarbitone/pentobarbital pethidine/meperidine
  phenobarbitone/phenobarbital phytomenadione/phytonadione pizotifen/pizotyline quinalbarbitone/secobarbital
  rifampicin/rifampin salbutamol/albuterol sulfacetamide/sulphacetamide sulfadiazine/sulphadiazine
  sulfamethoxazole/sulphamethoxazole sulfasalazine/sulphasalazine suxamethonium/succinylcholine
  tetracaine/amethocaine thiamazole/methimazole thiopental/thiopentone thyroxine/levothyroxine torasemide/torsemide
  valaciclovir/valacyclovir`
  .trim()
  .split(/\s+/)
  .map((pair) => {
    const [one = '', other = ''] = pair.split('/')
    return [one, other]
  })

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ...ABBREVIATIONS,
  ...SAME_NAMES,
  ...SAME_NAMES.map(([one, other]) => [other, one] as const),
])

/** Another name of a medication for a word: `hydrochloride` for `hcl`, `acetaminophen` for `paracetamol`. */
export const otherNameOf = (word: string): string | undefined => OTHER_NAMES.get(word)
