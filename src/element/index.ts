import { CatalogSearch } from './catalog-search'

// A page may load two versions, for example its own and that of a widget. The first one stays.
if (customElements.get('catalog-search') === undefined) {
  customElements.define('catalog-search', CatalogSearch)
}
