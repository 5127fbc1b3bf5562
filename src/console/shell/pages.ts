import { BellRing, Code, History, House, List, type LucideIcon, Search, Upload, Users } from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Scope } from '#shared/access/caller'
import type { CatalogPageProps } from './catalog-page'
import { PartMissing } from './failure'

export interface PageBase {
  path: string
  label: string
  icon: LucideIcon
  /** Who does not have it does not see the page. */
  scope: Scope
}

/** A page that shows one catalog at a time; the name of its type comes first in the address. */
interface CatalogPage extends PageBase {
  component: ComponentType<CatalogPageProps>
}

interface WorkspacePage extends PageBase {
  component: ComponentType
}

/** The code of a page, which is loaded when the page is first shown. */
const lazyPage = <Props extends object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(() =>
    load().catch((cause: unknown) => {
      throw new PartMissing(cause)
    }),
  )

/** The first in the navigation, and where the console opens. */
export const START_PAGE: WorkspacePage = {
  path: 'start',
  label: 'Overview',
  icon: House,
  scope: 'catalog:read',
  component: lazyPage(() => import('../start/start-page')),
}

/** In the order of the navigation. */
export const CATALOG_PAGES: readonly CatalogPage[] = [
  {
    path: 'upload',
    label: 'Upload',
    icon: Upload,
    scope: 'catalog:write',
    component: lazyPage(() => import('../upload/upload-page')),
  },
  {
    path: 'catalog',
    label: 'Catalog',
    icon: List,
    scope: 'catalog:read',
    component: lazyPage(() => import('../catalog/catalog-page')),
  },
  {
    path: 'history',
    label: 'History',
    icon: History,
    scope: 'catalog:read',
    component: lazyPage(() => import('../history/history-page')),
  },
  {
    path: 'search',
    label: 'Partner search',
    icon: Search,
    scope: 'catalog:read',
    component: lazyPage(() => import('../search/search-page')),
  },
]

export const WORKSPACE_PAGES: readonly WorkspacePage[] = [
  {
    path: 'watch',
    label: 'Watch',
    icon: BellRing,
    scope: 'catalog:write',
    component: lazyPage(() => import('../watch/watch-page')),
  },
  {
    path: 'members',
    label: 'Members',
    icon: Users,
    scope: 'workspace:admin',
    component: lazyPage(() => import('../keys/members-page')),
  },
  {
    path: 'developers',
    label: 'Developers',
    icon: Code,
    scope: 'workspace:admin',
    component: lazyPage(() => import('../developers/developers-page')),
  },
]
