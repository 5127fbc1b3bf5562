import { getDefaultZIndex, Text } from '@mantine/core'
import { useWindowEvent } from '@mantine/hooks'
import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Router } from 'wouter'
import { ConfirmDialog } from '../widgets/dialog'
import { useSubject } from '../widgets/hooks'

/** What is asked before somebody leaves a page. */
export interface LeaveQuestion {
  title: string
  text: string
  leave: string
}

/** For a form that has been changed. */
export const UNSAVED: LeaveQuestion = {
  title: 'Leave without saving?',
  text: 'If you leave, you lose the unsaved changes on this page.',
  leave: 'Leave without saving',
}

// Not a state of React: a page that has just saved navigates at once.
let guard: { question: LeaveQuestion; address: string } | undefined

const release = (): void => {
  guard = undefined
}

/**
 * Asks before somebody leaves the page that is shown, as long as there is something to ask.
 *
 * @param question a constant, or undefined when the page can be left without a question
 * @returns takes the question back at once, to navigate after saving
 */
export function useLeaveQuestion(question: LeaveQuestion | undefined): () => void {
  useEffect(() => {
    if (question === undefined) return
    guard = { question, address: location.href }
    return release
  }, [question])
  return release
}

/** Work that goes on from page to page, and is lost with the login. */
interface Work {
  /** Asked before the login ends; undefined if nothing would be lost. */
  question(): LeaveQuestion | undefined
  end(): void
}

let work: Work | undefined

/** Asks before the login or the window ends, on every page, from now on. */
export const protectWork = (newWork: Work): void => {
  work = newWork
}

/** Ends the work, because its login ends. */
export function endWork(): void {
  work?.end()
  work = undefined
}

/** Leaves the page or the login. Gives false if that has failed. */
type Leave = () => unknown

const LeaveLogin = createContext<(action: Leave) => void>(() => {
  throw new Error('there is no router here')
})

/** Does what ends the login, at once or when the person has agreed to lose what is not saved. */
export const useLeaveLogin = () => useContext(LeaveLogin)

/** Whether an address differs from the present one in its fragment at most, as the link that skips the navigation. */
function isSamePage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return pathname === location.pathname && search === location.search
}

/** A router that asks before it leaves a page on which something would be lost. */
export function GuardedRouter({ base, children }: { base: string; children: ReactNode }) {
  const { opened, subject, open, close } = useSubject<{ question: LeaveQuestion; action: Leave }>()
  const ask = (question: LeaveQuestion | undefined, action: Leave) => {
    if (question === undefined) action()
    else open({ question, action })
  }

  useWindowEvent('beforeunload', (event) => {
    if (guard !== undefined || work?.question() !== undefined) event.preventDefault()
  })
  // The browser has gone back already. Its address is put in front again before the router sees the change, so that
  // nothing is lost; the entry before it is then the one that the person wanted.
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
    // Still here: what is not saved can be lost as before.
    if ((await subject?.action()) === false) guard ??= before
  }
  return (
    <Router base={base} aroundNav={(navigate, to, options) => ask(guard?.question, () => navigate(to, options))}>
      <LeaveLogin value={(action) => ask(work?.question() ?? guard?.question, action)}>
        {children}
        {/* Above any other dialog, because a dialog may be left too. */}
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
