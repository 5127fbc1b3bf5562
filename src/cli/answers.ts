import type { Reading, SavedAnswers } from '#files/file-summary'
import { isSavedAnswers } from '#files/saved-answers'
import type { RecordTypeName } from '#shared/records/record-type'
import { usageError } from './exits'
import { readJson } from './files'
import { writeWhole } from './write-whole'

/** A user's answers about the files of a job, and the file that stores them. */

/** An existing ID that gets an unexpected name, although the record is the same. */
export interface Renaming {
  was: string
  is: string
}

/** The content of an answer file. */
interface StoredAnswers {
  type: RecordTypeName
  /** How to read files with these columns. */
  file: SavedAnswers | null
  renamed: readonly Renaming[]
}

/** The answers of one run: the stored ones, and those given since. */
export interface Answers {
  stored: StoredAnswers
  reading: Reading
}

/** An answer to one question. */
export type Answer = { reading: Reading } | { renamed: readonly Renaming[] }

const isRenaming = (value: unknown): value is Renaming =>
  typeof value === 'object' &&
  value !== null &&
  ['was', 'is'].every((name) => typeof Object.entries(value).find(([own]) => own === name)?.[1] === 'string')

const isStored = (value: unknown): value is StoredAnswers =>
  typeof value === 'object' &&
  value !== null &&
  'type' in value &&
  'file' in value &&
  (value.file === null || isSavedAnswers(value.file)) &&
  'renamed' in value &&
  Array.isArray(value.renamed) &&
  value.renamed.every(isRenaming)

/** Reads the answers in a file; none if the file is missing. @throws CliError 2 if the file contains anything else */
export async function readAnswers(file: string | undefined, type: RecordTypeName): Promise<Answers> {
  const stored = file === undefined ? null : await readJson(file)
  if (stored === null) return { stored: { type, file: null, renamed: [] }, reading: {} }
  if (!isStored(stored)) throw usageError(`${file} does not contain answers of dcs. Delete it to answer again.`)
  if (stored.type !== type) throw usageError(`The answers in ${file} are for ${stored.type}, not ${type}.`)
  return { stored, reading: stored.file === null ? {} : { memory: [stored.file] } }
}

export const writeAnswers = (file: string, stored: StoredAnswers): Promise<void> =>
  writeWhole(file, `${JSON.stringify(stored, null, 2)}\n`)

/** Adds an answer to others. */
export function withAnswer({ stored, reading }: Answers, answer: Answer): Answers {
  if ('renamed' in answer) return { stored: { ...stored, renamed: [...stored.renamed, ...answer.renamed] }, reading }
  const { reading: more } = answer
  const both = <Key, Value>(one?: ReadonlyMap<Key, Value>, other?: ReadonlyMap<Key, Value>) =>
    one || other ? new Map([...(one ?? []), ...(other ?? [])]) : undefined
  return {
    stored,
    reading: {
      ...{ ...reading, ...more },
      mapping: both(reading.mapping, more.mapping),
      meanings: both(reading.meanings, more.meanings),
      choices: both(reading.choices, more.choices),
      fills: both(reading.fills, more.fills),
    },
  }
}
