import { useState } from 'react'

/** The state of a dialog about one thing. The thing stays known while the dialog disappears. */
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
