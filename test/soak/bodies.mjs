/** Records of the clients, and requests that write them. */
import { gzipSync } from 'node:zlib'
import Papa from 'papaparse'

/** Types of the catalogs, each with its id field and a field that says which write a record comes from. */
export const TYPES = {
  medication: { idField: 'medication_id', markField: 'strength' },
  symptom: { idField: 'symptom_id', markField: 'icd10' },
}

/** Ids are the same in every workspace, so that a record in the wrong place is seen by its content. */
const USUAL_IDS = 900
const ALL_IDS = 3000

const WORDS = [
  ...['Amoxicillin', 'Paracetamol', 'Ibuprofen', 'Métoprolol', 'Insulin', 'Aspirin', 'Headache', 'Fever'],
  ...['forte', 'retard', 'mite', 'acute', 'chronic', 'a', 'of', 'Größe', 'tablet', 'x-ray', '(new)', '50%'],
]

/** A word in every name of a workspace, and in no other one's. */
export const markerOf = (workspace) => `zone${'abcdefgh'[workspace]}${workspace}q`

const phrase = (random, most) => Array.from({ length: random.between(1, most) }, () => random.of(WORDS)).join(' ')

/** A query that finds something, or nothing. */
export function queryOf(random, workspace) {
  const word = random.chance(0.1) ? markerOf(workspace) : random.of(WORDS)
  const cut = random.chance(0.5) ? word : word.slice(0, random.between(1, word.length))
  return random.chance(0.3) ? `${cut} ${random.of(WORDS)}` : cut
}

const REFIDS = [null, 'text', 7, 0, { deep: [1, 'two', null] }, [true]]

/**
 * Records of one write.
 *
 * @param {import('./random.mjs').Random} random
 * @param {object} workspace
 * @param {string} mark which write it is; in a field of every record
 * @param {{ count: number, format: 'csv' | 'json', wide?: boolean }} options wide: of all ids
 * @returns {import('./catalog-model.mjs').Sent[]}
 */
export function recordsOf(random, workspace, mark, { count, format, wide = false }) {
  return random.sample(wide ? ALL_IDS : USUAL_IDS, count).map((number) => {
    const name = `${phrase(random, 3)} ${markerOf(workspace)}`
    // Some records are sent as they were before: nothing changes.
    const stamp = random.chance(0.2) ? 'constant' : mark
    const refid = format === 'csv' ? random.of([null, 'text', 'x y']) : random.of(REFIDS)
    const fields = {
      name: stamp === 'constant' ? `Constant ${number} ${markerOf(workspace)}` : name,
      display_name: null,
      aliases: stamp === 'constant' ? [] : Array.from({ length: random.between(0, 3) }, () => phrase(random, 2)),
      refid: stamp === 'constant' ? null : refid,
      mark: stamp,
    }
    fields.aliases = [...new Set(fields.aliases)]
    fields.display_name = stamp !== 'constant' && random.chance(0.3) ? `${phrase(random, 2)} ${number}` : fields.name
    return { id: `r${number}`, fields, isActive: !random.chance(0.15) }
  })
}

/** A record as a client sends it. */
function sentRecord(type, { id, fields, isActive }) {
  const { idField, markField } = TYPES[type]
  const { name, display_name, aliases, refid, mark } = fields
  return {
    [idField]: id,
    name,
    ...(display_name === name ? {} : { display_name }),
    ...(aliases.length > 0 ? { aliases } : {}),
    ...(refid === null ? {} : { refid }),
    [markField]: mark,
    ...(isActive ? {} : { is_active: false }),
  }
}

function csvText(type, records) {
  const { idField, markField } = TYPES[type]
  const columns = [idField, 'name', 'display_name', 'aliases', 'refid', markField, 'is_active']
  const rows = records.map((record) => {
    const sent = sentRecord(type, record)
    return columns.map((column) => (column === 'aliases' ? (sent.aliases ?? []).join('|') : (sent[column] ?? '')))
  })
  return Papa.unparse([columns, ...rows], { newline: '\n' })
}

/**
 * The body of a write, of exactly this many bytes or more: its size is how it is found among the writes of the catalog.
 *
 * @param {(bytes: number) => boolean} isFree whether no other write of the catalog has this size
 */
export function bodyOf(random, type, format, records, isFree) {
  const text =
    format === 'csv' ? csvText(type, records) : JSON.stringify(records.map((record) => sentRecord(type, record)))
  // Blank rows and blanks after the list mean nothing.
  const filler = format === 'csv' ? '\n' : ' '
  let bytes = Buffer.from(text)
  let padding = 1
  while (!isFree(bytes.byteLength + padding)) padding++
  bytes = Buffer.concat([bytes, Buffer.from(filler.repeat(padding))])
  const sizeBytes = bytes.byteLength
  const type_ = format === 'csv' ? 'text/csv' : 'application/json'
  if (format === 'csv' && random.chance(0.2)) return { ...formOf(bytes), sizeBytes }
  if (random.chance(0.2)) {
    return {
      body: gzipSync(bytes),
      headers: { 'Content-Type': type_, 'Content-Encoding': 'gzip' },
      sizeBytes,
    }
  }
  return { body: bytes, headers: { 'Content-Type': type_ }, sizeBytes }
}

function formOf(bytes) {
  const boundary = 'soak-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="soak.csv"\r\nContent-Type: text/csv\r\n\r\n`
  const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` } }
}

const isAbsent = (value) => value === null || (Array.isArray(value) && value.length === 0)

/** A record of an answer in the form of the model; `rest` names fields that have a value and should have none. */
export function modelled(type, record) {
  const { idField, markField } = TYPES[type]
  const {
    [idField]: id,
    name,
    display_name,
    aliases,
    refid,
    [markField]: mark,
    is_active,
    updated_at,
    ...others
  } = record
  const rest = Object.keys(others).filter((field) => !isAbsent(others[field]))
  return {
    id,
    isActive: is_active,
    updatedAt: updated_at,
    fields: { name, display_name, aliases, refid, mark },
    rest,
  }
}
