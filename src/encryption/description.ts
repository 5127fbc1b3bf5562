import * as z from 'zod'
import type { Endpoint } from '#http/endpoint'
import { CONTENT_ENCRYPTION, KEY_MANAGEMENT } from './envelope'

/** What the API description says of encrypted bodies (decisions, section 10). */

const encoded = (description: string) => z.base64url().meta({ description })

const members = {
  protected: encoded(
    `Header: \`{"alg":"${KEY_MANAGEMENT}","enc":"${CONTENT_ENCRYPTION}"}\`; it may also hold \`kid\`.`,
  ),
  iv: encoded('16 bytes, random for every body.'),
  ciphertext: encoded('The JSON that would be sent in the clear; of a file, `{"file": "<base64>"}`.'),
  tag: encoded('16 bytes.'),
}

const encryptedBodySchema = z
  .strictObject({
    ...members,
    kid: z
      .string()
      .optional()
      .meta({ description: 'Id of the shared key; may stand in the header instead.' }),
  })
  .meta({
    id: 'EncryptedBody',
    description:
      'A flattened JWE (RFC 7516, section 7.2.2), sent with `X-Encryption: JWE`. The answer is then encrypted too, with ' +
      'the members `protected`, `iv`, `ciphertext` and `tag`, and carries the same header; a body that cannot be ' +
      'decrypted is answered in the clear with 400.',
  })

const encryptionHeader = z.object({
  'X-Encryption': z
    .literal('JWE')
    .optional()
    .meta({ description: 'The body is encrypted, and the answer is to be; see `EncryptedBody`.' }),
})

const takesEncryptedBody = ({ method, access, body }: Endpoint): boolean =>
  method === 'post' && body !== undefined && !['none', 'operator', 'partner', 'session'].includes(access)

/** Adds the encrypted form to an endpoint that takes it: one with a body, and a caller with a workspace. */
export function withEncryptedForm(endpoint: Endpoint): Endpoint {
  if (!takesEncryptedBody(endpoint)) return endpoint
  const json = endpoint.body?.['application/json']
  return {
    ...endpoint,
    headers: endpoint.headers?.extend(encryptionHeader.shape) ?? encryptionHeader,
    body: {
      ...endpoint.body,
      'application/json': json ? z.union([json, encryptedBodySchema]) : encryptedBodySchema,
    },
  }
}
