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

/**
 * Whether a person has agreed to what is shown. When something else is shown, nobody has.
 *
 * @param shown names all that the person sees: the revision of the catalog, for instance
 */
export function useConsent(shown: string): [isGiven: boolean, give: (isGiven: boolean) => void] {
  const [givenFor, setGivenFor] = useState<string>()
  return [givenFor === shown, (isGiven) => setGivenFor(isGiven ? shown : undefined)]
}

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
    /** For a subject that must not be kept longer than it is shown. */
    forget: () => setSubject(undefined),
  }
}

export type SubjectDialog<Subject> = ReturnType<typeof useSubject<Subject>>
