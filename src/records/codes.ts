import type { RawRecord, RecordType } from './record-type'

/**
 * The codes of a new record as a write sends them: the code or the codes, folded; 0 for none; 1 if the database is to take
 * them from the record, because one of them is not plain (see `search/index/fold-codes.ts`).
 */
export type SentCodes = string | readonly string[] | 0 | 1

/** Printable ASCII without white space at an end, and never more than one space between words: what SQL folds too. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/

/** Like `PLAIN`, in small letters alone, or in capitals alone: the index of ids finds such an id. */
const FOUND_ID = /^(?:[!-@[-~]+(?: [!-@[-~]+)*|[!-`{-~]+(?: [!-`{-~]+)*)$/

/** Takes the codes of the records of a type; see `Field.isCode`. */
export function codeReader({ fields, idField }: RecordType): (record: RawRecord) => SentCodes {
  const names = fields.filter(({ isCode, name }) => isCode && name !== idField).map(({ name }) => name)
  return (record) => {
    const id = record[idField] as string
    let only = FOUND_ID.test(id) ? undefined : id
    let more: string[] | undefined
    for (const name of names) {
      const value = record[name]
      if (value === undefined || value === null) continue
      for (const code of (typeof value === 'string' ? [value] : value) as string[]) {
        if (only === undefined) only = code
        else if (more === undefined) more = [only, code]
        else more.push(code)
      }
    }
    if (only === undefined) return 0
    if (more === undefined) return PLAIN.test(only) ? only.toLowerCase() : 1
    return more.every((code) => PLAIN.test(code)) ? more.map((code) => code.toLowerCase()) : 1
  }
}
