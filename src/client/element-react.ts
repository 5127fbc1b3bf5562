/** `<catalog-search>` in the JSX of React 19: `dataset-catalog/react` of the package. */
import type { DetailedHTMLProps } from 'react'
import type {
  CatalogClearEvent,
  CatalogErrorEvent,
  CatalogSearchAttributes,
  CatalogSearchElement,
  CatalogSelectEvent,
} from '#client/element'

interface Events {
  authToken?: CatalogSearchElement['authToken'] | undefined
  'oncatalog-select'?: ((event: CatalogSelectEvent) => void) | undefined
  'oncatalog-clear'?: ((event: CatalogClearEvent) => void) | undefined
  'oncatalog-error'?: ((event: CatalogErrorEvent) => void) | undefined
}

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements {
      'catalog-search': CatalogSearchAttributes &
        Events &
        DetailedHTMLProps<HTMLAttributes<CatalogSearchElement>, CatalogSearchElement>
    }
  }
}
