import { Anchor } from '@mantine/core'
import { Link } from 'wouter'
import type { Write } from '../service/answers'
import type { WriteItemProps } from './write-list'
import { undoText } from './write-text'

/** The way back from the newest change. */
export function UndoLink({ write, undoAddressOf }: WriteItemProps & { write: Write }) {
  const address = undoAddressOf(write)
  if (address === undefined) return null
  return (
    <Anchor component={Link} href={address} size="sm">
      {undoText(write)}
    </Anchor>
  )
}
