import { LOOPBACK_HOSTS } from '#shared/access/loopback-hosts'

/** Top-level names that public DNS does not resolve. */
const PRIVATE_ENDINGS: readonly string[] = ['local', 'internal', 'localhost']

/**
 * Whether a host looks like a public DNS name. A parsed URL has it in ASCII and lower case.
 */
function isPublicName(hostname: string): boolean {
  const labels = hostname.replace(/\.$/, '').split('.')
  const last = labels.at(-1) ?? ''
  // URL parsers normalize every form of an IPv4 address to four numbers, so a numeric last label means an address.
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9_-]+$/.test(label)) &&
    !/^\d+$/.test(last) &&
    !PRIVATE_ENDINGS.includes(last)
  )
}

function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  return LOOPBACK_HOSTS.includes(host) || /^127\.[\d.]+$/.test(host) || host.endsWith('.localhost')
}

/** Allowed ports. Others would reveal to a caller which ports of a host are open. */
const PORTS: readonly string[] = ['', '443', '8443']

/** The fault of an address, if any. A service on `localhost` (`issuer`) also sends to its own machine. */
export function addressError(url: string, issuer: string): string | undefined {
  const parsed = /^https?:\/\/[^\s\\]+$/i.test(url) ? URL.parse(url) : null
  if (parsed === null) return 'must be an absolute https URL'
  if (parsed.username !== '' || parsed.password !== '') return 'must not contain a user name or a password'
  if (isLoopback(parsed.hostname) && isLoopback(new URL(issuer).hostname)) return undefined
  if (!isPublicName(parsed.hostname)) {
    return (
      'must be on a public name: no IP address, no localhost, no name without a dot, none that ends in .local, ' +
      '.internal or .localhost'
    )
  }
  if (parsed.protocol !== 'https:') return 'must be an https URL'
  return PORTS.includes(parsed.port) ? undefined : 'must have the port 443 or 8443'
}
