/**
 * The form in which email addresses of members are stored and compared (docs/contract.md#email-addresses).
 * Case is dropped before the `@` too, although RFC 5321, section 2.4 leaves that to the mail host: no host in
 * use gives two people addresses that differ only in case. Dots and `+` tags stay, because they tell people
 * apart.
 */
export const normalisedEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase()
