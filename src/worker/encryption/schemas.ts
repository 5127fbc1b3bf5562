import * as z from 'zod'
import { CONTENT_ENCRYPTION, KEY_MANAGEMENT } from './envelope'

const base64urlMember = (description: string) => z.base64url().meta({ description })

export const encryptedBodySchema = z
  .strictObject({
    protected: base64urlMember(
      `Protected header, in base64url: \`{"alg":"${KEY_MANAGEMENT}","enc":"${CONTENT_ENCRYPTION}"}\`, which may also ` +
        'contain `kid`.',
    ),
    iv: base64urlMember('Initialization vector, in base64url: 16 random bytes, new for every body.'),
    ciphertext: base64urlMember('The encrypted JSON body, in base64url; for a file, `{"file": "<base64>"}`.'),
    tag: base64urlMember('Authentication tag, in base64url: 16 bytes.'),
    kid: z.string().meta({
      description: 'ID of the shared key. If the protected header has it too, both must be the same.',
    }),
  })
  .meta({
    id: 'EncryptedBody',
    description:
      'A flattened JWE (RFC 7516, section 7.2.2), sent with `X-Encryption: JWE`. The response is then encrypted ' +
      'too, with the properties `protected`, `iv`, `ciphertext` and `tag`, and carries the same header; a body ' +
      'that cannot be decrypted returns an unencrypted 400.',
  })

export const encryptionHeaderSchema = z.object({
  'X-Encryption': z.literal('JWE').optional().meta({
    description: 'The body is encrypted, and the response will be encrypted too; see `EncryptedBody`.',
  }),
})
