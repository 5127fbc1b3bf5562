import * as z from 'zod'
import { invalidField } from '#shared/errors/errors'
import type { BodyReader } from './body-stream'

/**
 * Digests that a client sends with a body, so that one that was cut off or changed on its way is not taken for the
 * whole (docs/contract.md#body-digests). They are made of the bytes as they are sent: packed and encrypted, if they
 * are (RFC 9530, section 2; RFC 2616, section 14.15).
 */
export const digestHeaders = z.object({
  'Content-Digest': z.string().optional().meta({
    description:
      'SHA-256 or SHA-512 of the body as it is sent (RFC 9530): `sha-256=:<base64>:`. The answer is 400 if it does not fit.',
  }),
  'Content-MD5': z.string().optional().meta({
    description: 'MD5 of the body as it is sent, in base64. The answer is 400 if it does not fit.',
  }),
})

type DigestHeader = keyof z.output<typeof digestHeaders>

/** Algorithms of `Content-Digest` (RFC 9530, section 5), and their names in Web Cryptography. */
const ALGORITHMS: ReadonlyMap<string, string> = new Map([
  ['sha-256', 'SHA-256'],
  ['sha-512', 'SHA-512'],
])

interface SentDigest {
  header: DigestHeader
  algorithm: string
  /** In base64. */
  text: string
}

/** One member of a dictionary (RFC 8941, section 3.2) whose value is a byte sequence, perhaps with parameters. */
const MEMBER = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):(?:;[^,]*)?\s*$/

const malformedDigest = (header: DigestHeader, msg: string, value: string) =>
  invalidField(header, 'malformed', msg, value)

/** @throws ApiError 400 for a header without a digest that can be compared */
function contentDigests(value: string): SentDigest[] {
  const members = value.split(',').map((member) => MEMBER.exec(member))
  if (members.includes(null)) {
    throw malformedDigest('Content-Digest', 'must have the form sha-256=:<base64>: (RFC 9530)', value)
  }
  const known = members.flatMap((member) => {
    const algorithm = ALGORITHMS.get(member?.[1] ?? '')
    return algorithm === undefined
      ? []
      : [{ header: 'Content-Digest', algorithm, text: member?.[2] ?? '' } as const]
  })
  if (known.length > 0) return known
  throw invalidField(
    'Content-Digest',
    'not_allowed',
    `must have a digest by ${[...ALGORITHMS.keys()].join(' or ')}; no other is compared`,
    value,
  )
}

function digestsOf(headers: Headers): SentDigest[] {
  const digest = headers.get('Content-Digest')
  const md5 = headers.get('Content-MD5')
  return [
    ...(digest === null ? [] : contentDigests(digest)),
    ...(md5 === null ? [] : [{ header: 'Content-MD5', algorithm: 'MD5', text: md5.trim() } as const]),
  ]
}

/** @throws ApiError 400 */
function digestBytes({ header, text }: SentDigest): string {
  try {
    return atob(text)
  } catch {
    throw malformedDigest(header, 'must hold the digest in base64', text)
  }
}

/** A body whose bytes are digested while they are read. */
interface DigestedBody extends BodyReader {
  /** To be called when all has been read. @throws ApiError 400 if a digest does not fit */
  check(): Promise<void>
}

/** @throws ApiError 400 for a header that is malformed, or has no digest that can be compared */
export function digested(body: BodyReader, headers: Headers): DigestedBody {
  const digests = digestsOf(headers).map((sent) => {
    const stream = new crypto.DigestStream(sent.algorithm)
    return { sent, expected: digestBytes(sent), digest: stream.digest, writer: stream.getWriter() }
  })
  return {
    stop: body.stop,
    async read() {
      const chunk = await body.read()
      if (chunk !== null) for (const { writer } of digests) await writer.write(chunk)
      return chunk
    },
    async check() {
      for (const { sent, expected, digest, writer } of digests) {
        await writer.close()
        if (String.fromCharCode(...new Uint8Array(await digest)) === expected) continue
        throw invalidField(
          sent.header,
          'digest_mismatch',
          'is not the digest of the body that arrived: the body was cut off or changed on its way, or the digest is of other bytes. Nothing was written; a retry is safe',
          sent.text,
        )
      }
    },
  }
}
