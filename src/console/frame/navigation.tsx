import { Divider, NavLink, SegmentedControl } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import type { RecordTypeName } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'
import { useSession } from '../session-context'
import { titleCase } from '../wording'
import { CATALOG_PAGES, type PageBase, START_PAGE, WORKSPACE_PAGES } from './pages'

const TYPE_CHOICES = Object.values(recordTypes).map(({ name, plural }) => ({
  value: name,
  label: titleCase(plural),
}))

interface TypeSwitchProps {
  name: RecordTypeName
  isShown: boolean
  onChange: (name: RecordTypeName) => void
}

const TypeSwitch = ({ name, isShown, onChange }: TypeSwitchProps) => (
  <SegmentedControl
    className="catalog-switch"
    withItemsBorders={false}
    aria-label="Catalog"
    data-quiet={!isShown || undefined}
    orientation="vertical"
    fullWidth
    my="xs"
    data={TYPE_CHOICES}
    value={name}
    onChange={onChange}
  />
)

interface NavigationProps {
  type: RecordTypeName
  current: string | undefined
  showsCatalog: boolean
  onType: (type: RecordTypeName) => void
  onChosen: () => void
}

/** Links to the pages, and the choice of a catalog. */
export function Navigation({ type, current, showsCatalog, onType, onChosen }: NavigationProps) {
  const { can } = useSession()
  const [, navigate] = useLocation()
  const linksTo = (pages: readonly PageBase[], base = '') =>
    pages
      .filter(({ scope }) => can(scope))
      .map((page) => (
        <PageLink
          key={page.path}
          page={page}
          address={`${base}/${page.path}`}
          isCurrent={current === page.path}
          onChosen={onChosen}
        />
      ))
  const ofWorkspace = linksTo(WORKSPACE_PAGES)
  const chooseType = (name: RecordTypeName) => {
    if (!showsCatalog) return onType(name)
    onChosen()
    navigate(`/${name}/${current}`)
  }
  return (
    <>
      {linksTo([START_PAGE])}
      <TypeSwitch name={type} isShown={showsCatalog} onChange={chooseType} />
      {linksTo(CATALOG_PAGES, `/${type}`)}
      {/* These are for the whole workspace, not for the chosen catalog. */}
      {ofWorkspace.length > 0 && <Divider my="xs" />}
      {ofWorkspace}
    </>
  )
}

interface PageLinkProps {
  page: PageBase
  address: string
  isCurrent: boolean
  onChosen: () => void
}

const PageLink = ({ page: { label, icon: Icon }, address, isCurrent, onChosen }: PageLinkProps) => (
  <NavLink
    component={Link}
    href={address}
    label={label}
    leftSection={<Icon size={18} />}
    active={isCurrent}
    aria-current={isCurrent ? 'page' : undefined}
    onClick={onChosen}
  />
)
