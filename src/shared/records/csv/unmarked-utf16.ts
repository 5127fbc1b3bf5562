import { startsWith } from './file-kind'

/** Bytes that show whether every other one is often zero. */
const SEARCHED_BYTES = 4096

/** Share of the other bytes: digits, separators and line ends are there in text of any language. */
const LEAST_ZEROS = 0.02

const hasMark = (bytes: Uint8Array): boolean => startsWith(bytes, [0xff, 0xfe]) || startsWith(bytes, [0xfe, 0xff])

/** UTF-16 without a mark: one of the two bytes of a Latin character is zero, always the first or always the second. */
export function unmarkedUtf16(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const zeros: [even: number, odd: number] = [0, 0]
  const end = Math.min(bytes.length, SEARCHED_BYTES)
  for (let at = 0; at < end; at++) if (bytes[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++
  const most = Math.max(...zeros)
  const isOneSided = Math.min(...zeros) * 3 <= most
  if (!isOneSided || most < (end / 2) * LEAST_ZEROS || hasMark(bytes)) return undefined
  return zeros[1] > zeros[0] ? 'utf-16le' : 'utf-16be'
}
