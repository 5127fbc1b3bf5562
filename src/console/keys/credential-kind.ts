import type { ComponentType } from 'react'
import type { LabelledValue } from '../widgets/copy-value'
import type { Column } from '../widgets/item-table'
import type { Resource } from './administration'
import type { FieldMessages } from './request-form'

/** What one is created of by a form, and what is shown once of it. */
export interface Creatable<Body, Created> {
  resource: Pick<Resource<never, Body, Created>, 'name' | 'create'>
  /** Within a sentence: `API key`. */
  one: string
  /** What the button does, if it is not `Create …`. */
  create?: string
  Fields: ComponentType<{ messages: FieldMessages }>
  bodyOf: (form: FormData) => Body
  /** Everything that is needed together, the secret among it. */
  valuesOf: (created: Created, body: Body) => readonly LabelledValue[]
}

/** A kind of credential: what the list shows, how one is created, and what the dialog says when one is revoked. */
export interface CredentialKind<Item, Body, Created> extends Creatable<Body, Created> {
  resource: Resource<Item, Body, Created>
  many: string
  /** What it is for, and who needs it. */
  purpose: string
  whenEmpty: string
  columns: readonly Column<Item>[]
  idOf: (item: Item) => string
  /** What stops working. */
  afterRevocation: string
}
