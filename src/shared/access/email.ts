/**
 * The form in which email addresses of members are stored and compared (docs/contract.md#email-addresses): A to Z in
 * lower case. Nothing else changes, because it may distinguish users: U+212A (KELVIN SIGN) in lower case is `k`.
 */
export const normalisedEmail = (email: string): string => email.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
