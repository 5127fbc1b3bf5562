/**
 * Checks the prose of README.md, SECURITY.md, samples/README.md and docs/: it uses the terms of docs/glossary.md and of
 * other software, and outside the contract a sentence has at most 30 words. Skips code and generated parts.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from '../wrangler.mjs'

const MAX_WORDS = 30
const AMERICAN = 'the American spelling'

/** Words that have one standard term each. API names (`held`, `refused`, `emptied`) are written as code. */
const TERMS = new Map([
  [/files? that waits?|held files?/i, 'pending upload'],
  [/somebody|nobody/i, 'someone, no one, a user'],
  [/refus(?:e|es|ed|als?)/i, 'reject, block'],
  [/carr(?:y|ied|ies|ying) out/i, 'completed, applied'],
  [/(?:takes?|took|taken|taking) (?:(?:the|a|an|it|its|this) (?:\w+ )?)?back|way back/i, 'undo, restore, roll back'],
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
  [/[Ii]ds?/, 'ID'],
  [/(?:un)?watched|watches/i, 'monitored'],
  [/answers? (?:is |with )?(?:\d{3}|code)/i, 'return, response'],
  [/(?:is|are|was|were|be|been) told|hears? of/i, 'notified, reported'],
  [/what (?:becomes|became) of/i, 'the outcome of, how to handle'],
  [/lets? in/i, 'approve'],
  [/forgets?|forgotten/i, 'discard, delete, evict'],
  [/goes on|go on|going on|comes? again/i, 'continue, resume, repeat'],
  [/at once|all the same|meanwhile|besides/i, 'immediately, anyway, in the meantime, in addition'],
  [/stands? (?:still|behind|beside)|told apart|that there is not|of which the/i, 'a shorter sentence'],
  [/who(?:m?ever)|thereof|therein|henceforth|lest|anew|be it/i, 'plain words'],
  [/(?:colou|behaviou|neighbou|favou|hono?u)rs?|(?:recogni|normali|initiali|organi)s(?:e|ed|es|ing|ation)/i, AMERICAN],
  [/licences?|defences?|catalogues?|cancell(?:ed|ing)|labelled|grey/i, AMERICAN],
])

const withoutCode = (/** @type {string} */ text) =>
  text
    .replaceAll(/<!-- generated[\s\S]*?<!-- \/generated -->/g, '')
    .replaceAll(/^```.*?^```$/gms, '')
    .replaceAll(/`[^`\n]*`/g, 'code')
    .replaceAll(/code(?:(?:,| and|, and| or) code)+/g, 'codes')
    .replaceAll(/\]\([^)]*\)/g, ']')

const isContract = (/** @type {string} */ page) => page === 'docs/contract.md'

const wordsOf = (/** @type {string} */ text) => text.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word)).length

/** The text of each table cell, heading, list item or paragraph, however its lines are broken. */
const blocksOf = (/** @type {string} */ text) =>
  text
    .replaceAll(/(?<=\S)\n(?![\s|#>*-]|\d+\. |$)/g, ' ')
    .split('\n')
    .flatMap((line) => (line.trimStart().startsWith('|') ? line.split('|') : [line]))

/** Whether a sentence is short enough. A list of values after a colon or in a cell is counted separately. */
function isShort(/** @type {string} */ sentence) {
  const [before = '', ...after] = sentence.split(/(?<=[:;]) /)
  const isList = after.join(' ').split(/, | or | and /).length > 2
  return (isList ? [before, ...after] : [sentence]).every((part) => wordsOf(part) <= MAX_WORDS)
}

/** @returns {string[]} errors in the text of a page */
export function problemsOf(/** @type {string} */ page, /** @type {string} */ text) {
  const blocks = blocksOf(withoutCode(text))
  const long = (isContract(page) ? [] : blocks)
    .flatMap((block) => block.split(/(?<=[.!?]\**) /))
    .filter((sentence) => !isShort(sentence))
    .map((sentence) => `more than ${MAX_WORDS} words: ${sentence}`)
  const terms = [...TERMS].flatMap(([term, instead]) =>
    blocks
      .flatMap((block) => [...block.matchAll(new RegExp(`(?<![\\w-])(?:${term.source})(?![\\w-])`, `g${term.flags}`))])
      .map(([found]) => `“${found}”, use: ${instead}`),
  )
  return [...long, ...terms]
}

/** @returns {string[]} errors in the documents */
export function proseFaults() {
  const docs = readdirSync(path.join(root, 'docs')).filter((name) => name.endsWith('.md'))
  const pages = ['README.md', 'SECURITY.md', 'samples/README.md', ...docs.map((name) => `docs/${name}`)]
  return pages.flatMap((page) =>
    problemsOf(page, readFileSync(path.join(root, page), 'utf8')).map((problem) => `${page}: ${problem}`),
  )
}
