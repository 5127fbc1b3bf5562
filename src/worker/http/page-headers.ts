/**
 * Headers of the service's own pages (Content Security Policy Level 3): they load nothing from elsewhere,
 * cannot be framed, and send no referrer.
 *
 * @param formAction where forms may lead, redirects of their answers included
 * @param directives besides those that all pages share; everything else is forbidden
 */
export const pageHeaders = (
  directives: readonly string[],
  formAction = "'none'",
): Readonly<Record<string, string>> => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    ...directives,
    "base-uri 'none'",
    `form-action ${formAction}`,
    "frame-ancestors 'none'",
  ].join('; '),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
})

/** Directives of a page with scripts: they come from this service and talk to this service only. */
export const OWN_SCRIPTS: readonly string[] = ["script-src 'self'", "connect-src 'self'"]
