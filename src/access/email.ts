/**
 * The one spelling of an email address by which members are stored and found. Case is dropped in the part before the `@`
 * as well, which RFC 5321, section 2.4 leaves to the mail host: no host in use gives two people addresses that differ in
 * case alone. Dots and `+` tags are kept, because they do tell people apart.
 */
export const normalisedEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
