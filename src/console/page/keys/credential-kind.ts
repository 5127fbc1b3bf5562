import type { ComponentType } from 'react'
import type { LabelledValue } from '../shell/copy-value'
import type { Column } from '../shell/item-table'
import type { Resource } from './administration'
import type { FieldMessages } from './request-form'

/** A kind of credential: what the list shows, how one is created, and what the dialog says when one is revoked. */
export interface CredentialKind<Item, Body, Created> {
  resource: Resource<Item, Body, Created>
  /** Within a sentence: `API key`. */
  one: string
  many: string
  /** What it is for, and who needs it. */
  purpose: string
  whenEmpty: string
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  Fields: ComponentType<{ messages: FieldMessages }>
  bodyOf: (form: FormData) => Body
  /** Everything that is needed together, the secret among it. */
  valuesOf: (created: Created, body: Body) => readonly LabelledValue[]
  /** What stops working. */
  afterRevocation: string
}
