import { getDefaultZIndex, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Router } from 'wouter'
import { ConfirmDialog } from '../widgets/dialog'
import { useSubject } from '../widgets/hooks'

/** The question before a user leaves a page. */
export interface LeaveQuestion {
  title: string
  text: string
  leave: string
}

/** For a form with unsaved changes. */
export const UNSAVED: LeaveQuestion = {
  title: 'Leave without saving?',
  text: 'If you leave, you lose the unsaved changes on this page.',
  leave: 'Leave without saving',
}

// Not React state, because a page that has just saved navigates immediately.
let guard: { question: LeaveQuestion; address: string } | undefined

const release = (): void => {
  guard = undefined
}

/**
 * Asks before the user leaves the current page, as long as there is a question.
 *
 * @param question a constant, or undefined if the page can be left without a question
 * @returns a function that withdraws the question immediately, to navigate after saving
 */
export function useLeaveQuestion(question: LeaveQuestion | undefined): () => void {
  useEffect(() => {
    if (question === undefined) return
    guard = { question, address: location.href }
    return release
  }, [question])
  return release
}

/** Work that continues across pages, and is lost with the login. */
interface Work {
  /** The question before the login ends; undefined if nothing would be lost. */
  question(): LeaveQuestion | undefined
  end(): void
}

let work: Work | undefined

/** From now on, asks on every page before the login ends or the window closes. */
export const protectWork = (newWork: Work): void => {
  work = newWork
}

/** Ends the work because its login ends. */
export function endWork(): void {
  work?.end()
  work = undefined
}

/** Leaves the page or the login. Returns false if that failed. */
type Leave = () => unknown

const LeaveLogin = createContext<(action: Leave) => void>(() => {
  throw new Error('no router above this component')
})

/** Runs an action that ends the login, immediately or after the user has agreed to lose unsaved changes. */
export const useLeaveLogin = () => useContext(LeaveLogin)

/** Whether a URL differs from the current one at most in its fragment, as the link to skip the navigation does. */
function isSamePage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return pathname === location.pathname && search === location.search
}

/** A router that asks before leaving a page with unsaved changes. */
export function GuardedRouter({ base, children }: { base: string; children: ReactNode }) {
  const { opened, subject, open, close } = useSubject<{ question: LeaveQuestion; action: Leave }>()
  const ask = (question: LeaveQuestion | undefined, action: Leave) => {
    if (question === undefined) action()
    else open({ question, action })
  }

  useWindowEvent('beforeunload', (event) => {
    if (guard !== undefined || work?.question() !== undefined) event.preventDefault()
  })
  // The browser has already gone back. Pushing the page's URL again, before the router notices, keeps its content. The
  // previous history entry is then the one that the user wanted.
  const onBack = (event: PopStateEvent) => {
    if (guard === undefined || isSamePage(guard.address)) return
    event.stopImmediatePropagation()
    history.pushState(null, '', guard.address)
    ask(guard.question, () => history.back())
  }
  useWindowEvent('popstate', onBack, { capture: true })

  const leaveAllTheSame = async () => {
    const before = guard
    release()
    close()
    // If the page was not left, unsaved changes need protection again.
    if ((await subject?.action()) === false) guard ??= before
  }
  return (
    <Router base={base} aroundNav={(navigate, to, options) => ask(guard?.question, () => navigate(to, options))}>
      <LeaveLogin value={(action) => ask(work?.question() ?? guard?.question, action)}>
        {children}
        {/* Above any other dialog, because a dialog may be left, too. */}
        <ConfirmDialog
          zIndex={getDefaultZIndex('popover')}
          opened={opened}
          title={subject?.question.title ?? ''}
          action={subject?.question.leave ?? ''}
          cancel="Stay"
          dangerous
          onConfirm={leaveAllTheSame}
          onClose={close}
        >
          <Text size="sm">{subject?.question.text}</Text>
        </ConfirmDialog>
      </LeaveLogin>
    </Router>
  )
}
