/**
 * The types of `<catalog-search>` for pages (docs/partners.md): `dataset-catalog/element` of the package. It contains
 * no code. React and Vue have separate files, because a page that uses one need not have the other.
 */
import type { FoundRecord } from '#client/found-record'
import type { GrantedToken } from '#client/token-source'

/** A partner token, an access token, or the response of a backend that has exchanged one. */
export type TokenInput = string | Partial<GrantedToken>

export type TokenFunction = () => TokenInput | Promise<TokenInput>

/** A token, or a function that gets one and is called for each renewal. */
export type AuthToken = string | TokenFunction

export interface CatalogSearchElement extends HTMLElement {
  name: string
  type: string
  required: boolean
  disabled: boolean
  readonly form: HTMLFormElement | null
  readonly willValidate: boolean
  readonly validity: ValidityState
  checkValidity(): boolean
  /** The ID of the chosen record in the box; empty if none is chosen. */
  get value(): string
  set value(id: string | null | undefined)
  /** The chosen record; null if none is chosen, or until the ID set by the page has been looked up. */
  readonly record: FoundRecord | null
  authToken: AuthToken | null
  /** Clears the box. */
  clear(): void
}

/** `status` is 0 if there was no response. */
interface CatalogError {
  status: number
  message: string
  requestId: string | null
}

export type CatalogSelectEvent = CustomEvent<FoundRecord>

export type CatalogClearEvent = CustomEvent<null>

export type CatalogErrorEvent = CustomEvent<CatalogError>

/** The attributes, as written in HTML. */
export interface CatalogSearchAttributes {
  type: 'medication' | 'lab_test' | 'symptom' | 'diagnosis'
  'token-url'?: string | undefined
  'token-credentials'?: 'include' | undefined
  'auth-token'?: string | undefined
  name?: string | undefined
  'source-name'?: string | undefined
  /** Searches without a match are not reported. */
  'no-reports'?: boolean | undefined
  value?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  [text: `text-${string}`]: string | undefined
}

declare global {
  interface HTMLElementTagNameMap {
    'catalog-search': CatalogSearchElement
  }
  interface HTMLElementEventMap {
    'catalog-select': CatalogSelectEvent
    'catalog-clear': CatalogClearEvent
    'catalog-error': CatalogErrorEvent
  }
  /** Texts for all elements of a page, by name. */
  var catalogSearchTexts: Readonly<Record<string, string | undefined>> | undefined
}
