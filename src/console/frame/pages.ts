import { BellRing, Code, History, House, List, type LucideIcon, Search, Upload, Users } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Scope } from '#shared/access/caller'
import { PartMissing } from './failure'
import type { CatalogPageProps } from './shown-catalog'

export interface PageBase {
  path: string
  label: string
  icon: LucideIcon
  /** Users without this scope do not see the page. */
  scope: Scope
}

/** A page that shows one catalog at a time. Its URL begins with the catalog's type. */
type CatalogPage = PageBase & { component: ComponentType<CatalogPageProps> }

type WorkspacePage = PageBase & { component: ComponentType }

const page = <Props extends object>(
  path: string,
  label: string,
  icon: LucideIcon,
  scope: Scope,
  load: () => Promise<{ default: ComponentType<Props> }>,
) => ({
  path,
  label,
  icon,
  scope,
  component: lazy(() =>
    load().catch((cause: unknown) => {
      throw new PartMissing(cause)
    }),
  ),
})

/** The first page in the navigation, which opens first. */
export const START_PAGE: WorkspacePage = page(
  'start',
  'Overview',
  House,
  'catalog:read',
  () => import('../start/start-page'),
)

/** In navigation order. */
export const CATALOG_PAGES: readonly CatalogPage[] = [
  page('upload', 'Upload', Upload, 'catalog:write', () => import('../upload/upload-page')),
  page('catalog', 'Catalog', List, 'catalog:read', () => import('../catalog/catalog-page')),
  page('history', 'History', History, 'catalog:read', () => import('../history/history-page')),
  page('search', 'Partner search', Search, 'catalog:read', () => import('../search/search-page')),
]

export const WORKSPACE_PAGES: readonly WorkspacePage[] = [
  page('watch', 'Sync monitoring', BellRing, 'catalog:write', () => import('../watch/watch-page')),
  page('members', 'Members', Users, 'workspace:admin', () => import('../keys/members-page')),
  page('developers', 'Developers', Code, 'workspace:admin', () => import('../developers/developers-page')),
]
