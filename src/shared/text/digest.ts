const LETTERS = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_']

/** Two letters for twelve bits. */
const PAIRS = LETTERS.flatMap((high) => LETTERS.map((low) => low + high))

export const DIGEST_CHARACTERS = 12

const rotated = (x: number, bits: number): number => (x << bits) | (x >>> (32 - bits))

const mixed = (hash: number, word: number, bits: number, factor: number, nextFactor: number): number =>
  hash ^ Math.imul(rotated(Math.imul(word, factor), bits), nextFactor)

/** Zero beyond the end, where `charCodeAt` is several times slower. */
const unitAt = (text: string, i: number): number => (i < text.length ? text.charCodeAt(i) : 0)

const wordAt = (text: string, i: number): number => unitAt(text, i) | (unitAt(text, i + 1) << 16)

function finished(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35)
  return twice ^ (twice >>> 16)
}

/**
 * The first 64 bits of MurmurHash3 (x86, 128 bits) of a text: of its UTF-16 code units, padded with zeros to whole
 * blocks. Not cryptographic: accidental collisions are negligible, but someone can construct one. Plain JavaScript,
 * because the platform's digests take ten times as long for short texts.
 *
 * @see https://github.com/aappleby/smhasher/blob/master/src/MurmurHash3.cpp
 */
export function digestOf(text: string): string {
  const { length } = text
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  for (let i = 0; i < length; i += 8) {
    a = mixed(a, wordAt(text, i), 15, 0x239b961b, 0xab0e9789)
    a = (Math.imul(rotated(a, 19) + b, 5) + 0x561ccd1b) | 0
    b = mixed(b, wordAt(text, i + 2), 16, 0xab0e9789, 0x38b34ae5)
    b = (Math.imul(rotated(b, 17) + c, 5) + 0x0bcaa747) | 0
    c = mixed(c, wordAt(text, i + 4), 17, 0x38b34ae5, 0xa1e38b93)
    c = (Math.imul(rotated(c, 15) + d, 5) + 0x96cd1c35) | 0
    d = mixed(d, wordAt(text, i + 6), 18, 0xa1e38b93, 0x239b961b)
    d = (Math.imul(rotated(d, 13) + a, 5) + 0x32ac3b17) | 0
  }
  a ^= length
  const sum = a + (b ^ length) + (c ^ length) + (d ^ length)
  const second = finished((b ^ length) + sum)
  const first = (finished(sum) + second + finished((c ^ length) + sum) + finished((d ^ length) + sum)) | 0
  return lettersOf(first) + lettersOf(second + first)
}

/** Six letters for 32 bits. */
const lettersOf = (word: number): string => PAIRS[word & 0xfff]! + PAIRS[(word >>> 12) & 0xfff]! + PAIRS[word >>> 24]!
