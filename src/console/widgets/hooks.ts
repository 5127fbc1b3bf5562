import { useMediaQuery } from '@mantine/hooks'
import { useState } from 'react'

/**
 * A `ref` for an element that takes the focus. It waits for the next frame: focusing immediately would trigger layout
 * in the task that rendered the page, which would be unresponsive for twice as long.
 */
export const takeFocus = (element: HTMLElement | null): void => {
  requestAnimationFrame(() => element?.focus())
}

/** Whether the window is too narrow for a table, as on a phone. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })

/**
 * Whether the user has agreed to what is shown. Resets if something else is shown.
 *
 * @param shown identifies everything the user sees, for example the catalog's revision
 */
export function useConsent(shown: string): [isGiven: boolean, give: (isGiven: boolean) => void] {
  const [givenFor, setGivenFor] = useState<string>()
  return [givenFor === shown, (isGiven) => setGivenFor(isGiven ? shown : undefined)]
}

/** The state of a dialog about one subject. The subject is kept while the dialog closes. */
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
    /** For a subject that must not be kept after it was shown. */
    forget: () => setSubject(undefined),
  }
}

export type SubjectDialog<Subject> = ReturnType<typeof useSubject<Subject>>
