export const utf8Encoder = new TextEncoder()

/** Throws for invalid bytes. Keeps a byte order mark. */
export const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws for invalid bytes. Drops a byte order mark at the beginning. */
export const strictUtf8File = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Writes U+FFFD for invalid bytes. Drops a byte order mark at the beginning. */
export const lenientUtf8 = new TextDecoder()
