/** Records of the clients, and requests that write them. */
import { gzipSync } from 'node:zlib'
import Papa from 'papaparse'

/** Types of the catalogs, each with its ID field and a field that records which write a record comes from. */
export const TYPES = {
  medication: { idField: 'medication_id', markField: 'strength' },
  symptom: { idField: 'symptom_id', markField: 'icd10' },
}

/** IDs are the same in every workspace, so that the content reveals a record in the wrong place. */
const USUAL_IDS = 900
const ALL_IDS = 3000

const WORDS = [
  ...['Amoxicillin', 'Paracetamol', 'Ibuprofen', 'Métoprolol', 'Insulin', 'Aspirin', 'Headache', 'Fever'],
  ...['forte', 'retard', 'mite', 'acute', 'chronic', 'a', 'of', 'Größe', 'plus', 'x-ray', '(new)', '50%'],
]

/** A word that is in every name of a workspace, and in no other workspace. */
export const markerOf = (workspace) => `zone${'abcdefgh'[workspace]}${workspace}q`

const phrase = (random, most) => Array.from({ length: random.between(1, most) }, () => random.of(WORDS)).join(' ')

/** A query with or without matches. */
export function queryOf(random, workspace) {
  const word = random.chance(0.1) ? markerOf(workspace) : random.of(WORDS)
  const cut = random.chance(0.5) ? word : word.slice(0, random.between(1, word.length))
  return random.chance(0.3) ? `${cut} ${random.of(WORDS)}` : cut
}

/** The beginning of a plain word. With one letter, partner search only finds first words. */
export function beginningOf(random) {
  const word = random.of(WORDS.filter((each) => /^\p{L}{2,}$/u.test(each)))
  return word.slice(0, random.between(2, word.length))
}

/**
 * Records of one write.
 *
 * @param {import('./random.mjs').Random} random
 * @param {number} workspace
 * @param {string} mark identifies the write, in a field of every record
 * @returns {import('./catalog-model.mjs').Sent[]}
 */
export const recordsOf = (random, workspace, mark, count) =>
  random.sample(count < USUAL_IDS ? USUAL_IDS : ALL_IDS, count).map((number) => {
    // Some records are sent unchanged.
    const isConstant = random.chance(0.2)
    const name = `${isConstant ? `Constant ${number}` : phrase(random, 3)} ${markerOf(workspace)}`
    const aliases = Array.from({ length: isConstant ? 0 : random.between(0, 3) }, () => phrase(random, 2))
    const fields = { name, aliases: [...new Set(aliases)], mark: isConstant ? 'constant' : mark }
    return { id: `r${number}`, fields, isActive: !random.chance(0.15) }
  })

/**
 * A request that writes records as CSV or JSON, compressed or not. Its size differs from all other writes, and
 * identifies the write.
 *
 * @param {(bytes: number) => boolean} isFree whether no other write of the catalog has this size
 */
export function writeOf(random, type, records, isFree) {
  const { idField, markField } = TYPES[type]
  const format = random.of(['csv', 'json'])
  const sent = records.map(({ id, fields: { name, aliases, mark }, isActive }) => ({
    ...{ [idField]: id, name, [markField]: mark, is_active: isActive },
    aliases: format === 'csv' ? aliases.join('|') : aliases,
  }))
  const columns = [idField, 'name', markField, 'is_active', 'aliases']
  const text = Buffer.from(format === 'csv' ? Papa.unparse({ fields: columns, data: sent }) : JSON.stringify(sent))
  let bytes = text.byteLength
  while (!isFree(bytes)) bytes++
  // Blank rows, and whitespace after the list, have no meaning.
  const filler = Buffer.alloc(bytes - text.byteLength, format === 'csv' ? '\n' : ' ')
  const body = Buffer.concat([text, filler])
  const isPacked = random.chance(0.2)
  const packing = isPacked ? { 'Content-Encoding': 'gzip' } : {}
  const headers = { 'Content-Type': format === 'csv' ? 'text/csv' : 'application/json', ...packing }
  return { bytes, init: { method: 'POST', headers, body: isPacked ? gzipSync(body) : body } }
}

/** A record of a response in the model's form. Fields that were never sent are included if they have a value. */
export function modelled(type, record) {
  const { [TYPES[type].idField]: id, [TYPES[type].markField]: mark, ...others } = record
  const { name, aliases, display_name: _, is_active: isActive, updated_at: __, ...rest } = others
  const unexpected = Object.entries(rest).filter(([, value]) => value !== null && value?.length !== 0)
  return { id, isActive, fields: { name, aliases, mark, ...Object.fromEntries(unexpected) } }
}
