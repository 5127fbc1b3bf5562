import type { ReactNode } from 'react'
import type { SubjectDialog } from '../widgets/use-subject'
import { type Revocable, useRevocation } from './administration'
import { Id } from './id'
import { SubjectConfirmation } from './subject-confirmation'

interface RevocationDialogProps<Item> {
  resource: Revocable
  revoking: SubjectDialog<Item>
  idOf: (item: Item) => string
  /** What the button does: `Revoke API key`. */
  action: string
  children: (item: Item) => ReactNode
  onRevoked: (item: Item) => void
}

export const RevocationDialog = <Item,>({
  resource,
  revoking,
  idOf,
  children,
  onRevoked,
  ...props
}: RevocationDialogProps<Item>) => (
  <SubjectConfirmation
    {...props}
    about={revoking}
    mutation={useRevocation(resource)}
    requestOf={idOf}
    dangerous={() => true}
    onDone={onRevoked}
  >
    {(item) => (
      <>
        <Id>{idOf(item)}</Id>
        {children(item)}
      </>
    )}
  </SubjectConfirmation>
)
