/** Records with many different words that fill a body. */

const SYLLABLES = ['ba', 'de', 'fi', 'go', 'lu', 'ma', 'ne', 'ri', 'so', 'tu']

/** A word for each number. */
const wordOf = (n) => Array.from(String(n), (digit) => SYLLABLES[Number(digit)]).join('')

const MORE = {
  medication: (n) => ({
    generic_name: `${wordOf(n % 997)} hydrochloride`,
    form_name: 'Tablet',
    strength: `${n % 1000} mg`,
  }),
  lab_test: () => ({ kind: 'functional', result_type: 'string' }),
  symptom: () => ({}),
  diagnosis: () => ({}),
}

/**
 * @param {keyof typeof MORE} type
 * @param {number} bytes of their body, at most
 */
export function records(type, bytes) {
  const all = []
  for (let n = 0, length = 2; ; n++) {
    const others = Array.from({ length: 3 }, (_, alias) => wordOf(n * 7 + alias))
    const aliases = others.map((word) => `${word} ${wordOf(n % 313)} verify other name`)
    const record = { [`${type}_id`]: `V${n}`, name: `${wordOf(n)} verify`, aliases, ...MORE[type](n) }
    length += JSON.stringify(record).length + 1
    if (length > bytes) return all
    all.push(record)
  }
}
