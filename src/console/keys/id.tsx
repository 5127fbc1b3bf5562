import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** An id or address, which has no spaces at which a line could end. */
export const Id = ({ children }: { children: ReactNode }) => (
  <Text span ff="monospace" size="sm" className="breakable">
    {children}
  </Text>
)
