/**
 * Checks the prose of README.md, SECURITY.md and docs/: things have the names that docs/glossary.md and other software
 * give them, and outside the contract a sentence has at most 30 words. Code and generated parts are not checked, and
 * tables only for names.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'

const MAX_WORDS = 30

/** Words that have one standard term each. Those of the API (`held`, `refused`, `emptied`) are written as code. */
const TERMS = new Map([
  [/files? that waits?|held files?/i, 'pending upload'],
  [/somebody|nobody/i, 'someone, no one, a user'],
  [/refus(?:e|es|ed|als?)/i, 'reject, block'],
  [/carried out/i, 'completed, applied'],
  [/tak(?:e|es|en|ing) back|way back/i, 'undo, restore, roll back'],
  [/emptied guard/i, 'value-loss guard'],
  [/kept fields/i, 'keeping existing values'],
  [/mirror feed/i, 'change feed'],
  [/copies near the reader/i, 'read replicas'],
  [/search switch/i, 'search source'],
  [/is met by|meets/i, 'matches'],
  [/in folded form|is folded|are folded/i, 'normalized'],
  [/misspelt/i, 'misspelled'],
  [/drug forms?/i, 'dosage form'],
  [/mandatory/i, 'required'],
  [/line ends?/i, 'line break'],
  [/white space|blanks?/i, 'whitespace, empty, space'],
  [/cut off/i, 'truncated'],
  [/defects?/i, 'error, bug'],
  [/waits? for its turn/i, 'is queued'],
  [/beyond (?:the|a|its) (?:limit|quota)/i, 'over the limit'],
  [/seal(?:s|ed)?/i, 'encrypt'],
  [/leaves? out|left out/i, 'missing, exclude, ignore, omit'],
  [/ids?/, 'ID'],
  [/colours?|behaviours?|neighbours?|recognised/i, 'the American spelling'],
])

const withoutCode = (/** @type {string} */ text) =>
  text
    .replaceAll(/<!-- generated[\s\S]*?<!-- \/generated -->/g, '')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/code(?:(?:,| and|, and| or) code)+/g, 'codes')
    .replaceAll(/\]\([^)]*\)/g, ']')

const isContract = (/** @type {string} */ page) => page === 'docs/contract.md'

/** @returns {string[]} what is wrong with the text of a page */
function problemsOf(/** @type {string} */ page, /** @type {string} */ text) {
  const lines = withoutCode(text).split('\n')
  const long = (isContract(page) ? [] : lines)
    .filter((line) => !line.trimStart().startsWith('|'))
    .flatMap((line) => line.split(/(?<=[.!?:])\s+/))
    .filter((sentence) => sentence.split(/\s+/).filter(Boolean).length > MAX_WORDS)
    .map((sentence) => `more than ${MAX_WORDS} words: ${sentence}`)
  const terms = [...TERMS].flatMap(([term, instead]) =>
    lines
      .map((line) => new RegExp(`(?<![\\w-])(?:${term.source})(?![\\w-])`, term.flags).exec(line))
      .flatMap((match) => match ?? [])
      .map((found) => `“${found}”, use: ${instead}`),
  )
  return [...long, ...terms]
}

/** @returns {string[]} what is wrong with the documents */
export function proseFaults() {
  const docs = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = ['README.md', 'SECURITY.md', ...docs.map((name) => `docs/${name}`)]
  return pages.flatMap((page) =>
    problemsOf(page, readFileSync(path.join(root, page), 'utf8')).map((problem) => `${page}: ${problem}`),
  )
}
