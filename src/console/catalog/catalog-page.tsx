import { VisuallyHidden } from '@mantine/core'
import { useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { useCatalogAddress } from '../record/address'
import type { CatalogPageProps } from '../shell/catalog-page-props'
import { EditView } from './edit-view'
import { ListView } from './list/list-view'
import { NewView } from './new-view'
import { RecordView } from './record-view'
import './catalog.css'

/** The list of a catalog, and one record of it to look at or to edit, as the address says. */
export default function CatalogPage({ type }: CatalogPageProps) {
  const pathname = usePathname()
  const { place, list } = useCatalogAddress()
  /** What was done last, and the record whose page says it. */
  const [notice, setNotice] = useState<{ id: string; text: string }>()
  const shown = place.is === 'record' && notice?.id === place.id ? notice.text : undefined
  const onSaved = (id: string, text: string) => setNotice({ id, text })

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was said is over when another page is shown.
  useEffect(() => {
    if (shown !== undefined) return () => setNotice(undefined)
  }, [pathname, shown === undefined])

  return (
    <>
      <VisuallyHidden role="status">{shown}</VisuallyHidden>
      {place.is === 'list' && <ListView key={type.name} type={type} list={list} />}
      {place.is === 'new' && <NewView type={type} list={list} onSaved={onSaved} />}
      {place.is === 'record' && (
        <RecordView key={place.id} type={type} list={list} id={place.id} notice={shown} />
      )}
      {place.is === 'edit' && (
        <EditView key={place.id} type={type} list={list} id={place.id} onSaved={onSaved} />
      )}
    </>
  )
}
