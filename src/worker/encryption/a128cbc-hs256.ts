/** AES block, IV and tag, in bytes. */
export const BLOCK_BYTES = 16
const MAC_KEY_BYTES = 16
const TAG_BYTES = 16
/** Block of SHA-256, in bytes. */
const HASH_BLOCK_BYTES = 64

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.byteLength
  }
  return joined
}

/** HMAC-SHA-256 (RFC 2104) of a message that comes in pieces. Web Cryptography cannot do that. */
class StreamedHmac {
  readonly #key: Uint8Array
  readonly #inner = new crypto.DigestStream('SHA-256')
  readonly #writer = this.#inner.getWriter()

  constructor(key: Uint8Array) {
    this.#key = key
    // When the reader leaves, the message never ends and nobody asks for the digest.
    this.#inner.digest.catch(() => undefined)
  }

  #pad(byte: number): Uint8Array {
    return new Uint8Array(HASH_BLOCK_BYTES).map((_, index) => (this.#key[index] ?? 0) ^ byte)
  }

  async start(): Promise<void> {
    await this.#writer.write(this.#pad(0x36))
  }

  async update(bytes: Uint8Array): Promise<void> {
    await this.#writer.write(bytes)
  }

  async digest(): Promise<Uint8Array> {
    await this.#writer.close()
    const inner = new Uint8Array(await this.#inner.digest)
    return new Uint8Array(await crypto.subtle.digest('SHA-256', concat(this.#pad(0x5c), inner)))
  }
}

/**
 * Encryption with A128CBC-HS256 (RFC 7518, section 5.2.2.1) of a plaintext that comes in pieces. An answer can have
 * any length, and encrypting it as a whole takes four times its memory.
 */
export class A128CbcHs256 {
  readonly #aad: Uint8Array
  readonly #key: CryptoKey
  readonly #hmac: StreamedHmac
  /** For the next piece: CBC continues with the last block of ciphertext. */
  #iv: Uint8Array

  private constructor(key: CryptoKey, hmac: StreamedHmac, iv: Uint8Array, aad: Uint8Array) {
    this.#key = key
    this.#hmac = hmac
    this.#iv = iv
    this.#aad = aad
  }

  /**
   * @param contentKey 32 bytes: 16 that authenticate, 16 that encrypt
   * @param iv 16 bytes, never used before under this key
   * @param aad additional authenticated data: in a JWE, the characters of the encoded protected header
   */
  static async start(contentKey: Uint8Array, iv: Uint8Array, aad: Uint8Array): Promise<A128CbcHs256> {
    const key = await crypto.subtle.importKey('raw', contentKey.subarray(MAC_KEY_BYTES), 'AES-CBC', false, [
      'encrypt',
    ])
    const hmac = new StreamedHmac(contentKey.subarray(0, MAC_KEY_BYTES))
    await hmac.start()
    await hmac.update(aad)
    await hmac.update(iv)
    return new A128CbcHs256(key, hmac, iv, aad)
  }

  async #encrypt(plaintext: Uint8Array): Promise<Uint8Array> {
    return new Uint8Array(
      await crypto.subtle.encrypt({ name: 'AES-CBC', iv: this.#iv }, this.#key, plaintext),
    )
  }

  /** @param piece a multiple of 16 bytes */
  async update(piece: Uint8Array): Promise<Uint8Array> {
    if (piece.byteLength === 0) return piece
    // Web Cryptography treats every piece as the last one and adds a block of padding, which is dropped here.
    const ciphertext = (await this.#encrypt(piece)).subarray(0, piece.byteLength)
    this.#iv = ciphertext.slice(-BLOCK_BYTES)
    await this.#hmac.update(ciphertext)
    return ciphertext
  }

  /**
   * @param rest the last bytes, of any number
   * @returns the rest of the ciphertext, with its padding, and the tag of all
   */
  async finish(rest: Uint8Array): Promise<{ ciphertext: Uint8Array; tag: Uint8Array }> {
    const ciphertext = await this.#encrypt(rest)
    await this.#hmac.update(ciphertext)
    const aadBits = new DataView(new ArrayBuffer(8))
    aadBits.setBigUint64(0, BigInt(this.#aad.byteLength) * 8n)
    await this.#hmac.update(new Uint8Array(aadBits.buffer))
    return { ciphertext, tag: (await this.#hmac.digest()).subarray(0, TAG_BYTES) }
  }
}
