import { distance } from 'fastest-levenshtein'
import { DRUG_FORMS, fullFormWord } from '#shared/records/drug-forms'

const MOST = 6

const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).map(fullFormWord)

/** The accepted dosage forms that a text may mean: most shared words first, then most similar. */
export function nearestForms(text: string): string[] {
  const words = wordsOf(text)
  const ranked = DRUG_FORMS.map(({ name, synonyms }) => {
    const spellings = [name, ...synonyms].map(wordsOf)
    const shared = Math.max(...spellings.map((spelling) => words.filter((word) => spelling.includes(word)).length))
    const apart = Math.min(...spellings.map((spelling) => distance(words.join(' '), spelling.join(' '))))
    return { name, shared, apart }
  })
  return ranked
    .toSorted((a, b) => b.shared - a.shared || a.apart - b.apart)
    .slice(0, MOST)
    .map(({ name }) => name)
}
