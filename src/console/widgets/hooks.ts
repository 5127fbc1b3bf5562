import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

/**
 * A `ref` for an element that takes the focus. It waits for the next frame: at once, the page would be laid out in the
 * task that has rendered it, and not react for twice as long.
 */
export const takeFocus = (element: HTMLElement | null): void => {
  requestAnimationFrame(() => element?.focus())
}

/** Whether the window is too narrow for a table, as on a phone. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })

/** The state of a dialog about one thing, its subject. The subject stays the same while the dialog closes. */
export function useSubject<Subject>() {
  const [opened, setOpened] = useState(false)
  const [subject, setSubject] = useState<Subject>()
  return {
    opened,
    subject,
    open: (next: Subject) => {
      setSubject(next)
      setOpened(true)
    },
    close: () => setOpened(false),
  }
}

export type SubjectDialog<Subject> = ReturnType<typeof useSubject<Subject>>
