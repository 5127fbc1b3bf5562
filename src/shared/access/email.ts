/**
 * The form in which email addresses of members are stored and compared (docs/contract.md#email-addresses): with the
 * letters A to Z in lower case and nothing else changed. Case is dropped before the `@` too, although RFC 5321,
 * section 2.4 leaves that to the mail host: no host in use gives two people addresses that differ only in case. Dots
 * and `+` tags stay, because they tell people apart. So do other characters: the Unicode rules for normalisation and
 * lower case turn U+212A (KELVIN SIGN) into `k`, which may be another person's address.
 */
export const normalisedEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
