import { useState } from 'react'

export interface SubjectDialog<Subject> {
  opened: boolean
  /** Known until the next one: a dialog needs it while it disappears. */
  subject: Subject | undefined
  open: (subject: Subject) => void
  close: () => void
}

/** The state of a dialog that is about one thing out of a list. */
export function useSubject<Subject>(): SubjectDialog<Subject> {
  const [state, setState] = useState<{ opened: boolean; subject: Subject | undefined }>({
    opened: false,
    subject: undefined,
  })
  return {
    ...state,
    open: (subject) => setState({ opened: true, subject }),
    close: () => setState((before) => ({ ...before, opened: false })),
  }
}
