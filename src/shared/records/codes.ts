import type { RawRecord, RecordType } from './record-type'
import { PLAIN_LINE } from './search-text'

/**
 * The codes of a new record as a write sends them: the code or the codes, folded; 0 for none; 1 if the database is to
 * take them from the record, because SQL would fold one of them in another way (see `search/index/fold-codes.ts`).
 */
export type SentCodes = string | readonly string[] | 0 | 1

/** Like `PLAIN_LINE`, in small letters alone, or in capitals alone: the index of ids finds such an id. */
const FOUND_ID = /^(?:[!-@[-~]+(?: [!-@[-~]+)*|[!-`{-~]+(?: [!-`{-~]+)*)$/

/** Takes the codes of valid records of a type, their ids among them; see `Field.isCode`. */
export function codeReader({ fields, idField }: RecordType): (record: RawRecord, id: string) => SentCodes {
  const names = fields.filter(({ isCode, name }) => isCode && name !== idField).map(({ name }) => name)
  return (record, id) => {
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
    if (more === undefined) return PLAIN_LINE.test(only) ? only.toLowerCase() : 1
    return more.every((code) => PLAIN_LINE.test(code)) ? more.map((code) => code.toLowerCase()) : 1
  }
}
