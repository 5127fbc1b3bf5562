/** `<catalog-search>` in templates of Vue 3: `dataset-catalog/vue` of the package. */
import type { HTMLAttributes } from 'vue'
import type { CatalogClearEvent, CatalogErrorEvent, CatalogSearchAttributes, CatalogSelectEvent } from '#client/element'

interface Events {
  onCatalogSelect?: ((event: CatalogSelectEvent) => void) | undefined
  onCatalogClear?: ((event: CatalogClearEvent) => void) | undefined
  onCatalogError?: ((event: CatalogErrorEvent) => void) | undefined
}

declare module 'vue' {
  interface GlobalComponents {
    'catalog-search': new () => { $props: CatalogSearchAttributes & Events & HTMLAttributes }
  }
}
