import { usePathname } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { keysOf } from '#shared/text/keys-of'

/** The addresses of what the pages of a catalog show. The first one that fits the beginning of an address counts. */
const ROUTES = {
  edit: '/:type/catalog/:id/edit',
  record: '/:type/catalog/:id',
  list: '/:type/catalog',
  upload: '/:type/history/uploads/:id',
  undo: '/:type/history/:id/undo',
  restore: '/:type/history/:id/restore',
  write: '/:type/history/:id',
  history: '/:type/history',
} as const

type RouteName = keyof typeof ROUTES

interface Route {
  is: RouteName
  /** Of a record, an upload or a write; empty for a list. */
  id: string
}

/** An id in an address. One that somebody typed with a bare per cent sign is taken as it is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** @param pathname with `/console` before it */
function routeOf(pathname: string): Route | undefined {
  const [, , ...segments] = pathname.split('/')
  const fits = (part: string, index: number) => (part.startsWith(':') ? segments[index] : segments[index] === part)
  const is = keysOf(ROUTES).find((name) => ROUTES[name].split('/').slice(1).every(fits))
  return is && { is, id: decoded(segments[ROUTES[is].split('/').indexOf(':id') - 1] ?? '') }
}

/**
 * What the address names. The hooks of the router decode the address, so they cannot be used: ids and searches may have
 * slashes and per cent signs.
 */
export const useRoute = (): Route | undefined => routeOf(usePathname())

export const addressOf = (name: RouteName, type: RecordType, id = ''): string =>
  ROUTES[name].replace(':type', type.name).replace(':id', () => encodeURIComponent(id))
