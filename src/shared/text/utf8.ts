export const utf8Encoder = new TextEncoder()

/** Throws for bytes that are not UTF-8. A byte order mark is a character like any other. */
export const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Throws for bytes that are not UTF-8. A byte order mark at the beginning is dropped. */
export const strictUtf8File = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })

/** Puts U+FFFD for bytes that are not UTF-8. A byte order mark at the beginning is dropped. */
export const lenientUtf8 = new TextDecoder()
