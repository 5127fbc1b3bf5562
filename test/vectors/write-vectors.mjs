import { writeFileSync } from 'node:fs'

/**
 * Writes a file of vectors as JSON, one vector a line, so that a difference between two files is read by vectors.
 *
 * @param {string} file
 * @param {{ vectors: object[] }} content further members come first, each on a line
 */
export function writeVectors(file, { vectors, ...rest }) {
  const members = Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},\n`)
  const lines = vectors.map((vector) => JSON.stringify(vector)).join(',\n')
  writeFileSync(file, `{\n${members.join('')}"vectors": [\n${lines}\n]\n}\n`)
}
