import { usePathname } from 'wouter/use-browser-location'
import type { RecordType } from '#shared/records/record-type'
import { keysOf } from '#shared/text/keys-of'

/** The paths of a catalog's pages. The first one that matches the beginning of a path applies. */
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
  /** ID of a record, an upload or a write; empty for a list. */
  id: string
}

/** Decodes an ID in a path. A malformed one, typed with a bare percent sign, is used as is. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** @param pathname with the prefix `/console` */
function routeOf(pathname: string): Route | undefined {
  const [, , ...segments] = pathname.split('/')
  const fits = (part: string, index: number) => (part.startsWith(':') ? segments[index] : segments[index] === part)
  const is = keysOf(ROUTES).find((name) => ROUTES[name].split('/').slice(1).every(fits))
  return is && { is, id: decoded(segments[ROUTES[is].split('/').indexOf(':id') - 1] ?? '') }
}

/**
 * The page and ID in the current path. The router's own hooks decode the whole path, but IDs and searches may contain
 * slashes and percent signs.
 */
export const useRoute = (): Route | undefined => routeOf(usePathname())

export const addressOf = (name: RouteName, type: RecordType, id = ''): string =>
  ROUTES[name].replace(':type', type.name).replace(':id', () => encodeURIComponent(id))
