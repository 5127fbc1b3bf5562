/**
 * Headers of the service's own pages: nothing from elsewhere, in no other page, no address told to anybody.
 * Content Security Policy Level 3.
 *
 * @param directives beyond those that all pages share; what is not allowed there is forbidden
 */
export const pageHeaders = (directives: readonly string[]): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Directives of a page that has scripts: from this service alone, and they talk to this service alone. */
export const OWN_SCRIPTS: readonly string[] = ["script-src 'self'", "connect-src 'self'"]
