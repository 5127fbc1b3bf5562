import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { Router } from 'wouter'

/** The question before a page is left. */
export interface LeaveQuestion {
  title: string
  /** What would be lost. */
  text: string
  /** What the button says that leaves all the same. */
  leave: string
}

/** For a form that has been changed. */
export const UNSAVED: LeaveQuestion = {
  title: 'Leave without saving?',
  text: 'What you have changed on this page is not saved, and is lost when you leave.',
  leave: 'Leave without saving',
}

/** Work that goes on from page to page, and is lost with the login. */
interface Work {
  /** Asked before the login ends; undefined where nothing would be lost. */
  question(): LeaveQuestion | undefined
  end(): void
}

let work: Work | undefined

/** Asks before the login or the window ends, on whichever page. */
export const keepWork = (begun: Work): void => {
  work = begun
}

/** Ends the work with the login that it was begun with. */
export function endWork(): void {
  work?.end()
  work = undefined
}

/** What leads away. Where that may fail, and has, it comes to false. */
type Leaving = () => unknown

interface LeaveGuard {
  /** From now on, the question is asked before the page is left. */
  hold(question: LeaveQuestion): void
  release(): void
  /** Does what ends the login, at once or when the person has agreed to lose what is not saved. */
  leaveLogin(action: Leaving): void
}

const LeaveGuardContext = createContext<LeaveGuard | undefined>(undefined)

/** @throws Error outside of `GuardedRouter` */
export function useLeaveGuard(): LeaveGuard {
  const guard = useContext(LeaveGuardContext)
  if (guard === undefined) throw new Error('there is no router here')
  return guard
}

/**
 * Asks before somebody leaves the page that is shown, as long as there is something to ask.
 *
 * @param question a constant, or undefined when the page can be left without a question
 * @returns ends that at once, for a way on after saving
 */
export function useLeaveQuestion(question: LeaveQuestion | undefined): () => void {
  const { hold, release } = useLeaveGuard()
  useEffect(() => {
    if (question === undefined) return
    hold(question)
    return release
  }, [question, hold, release])
  return release
}

/** Whether an address differs at most in its fragment: a link within a page, such as the one that skips the navigation. */
function isSamePage(address: string): boolean {
  const { pathname, search } = new URL(address)
  return pathname === location.pathname && search === location.search
}

/** The router, which asks before it shows another page where something would be lost. */
export function GuardedRouter({ base, children }: { base: string; children: ReactNode }) {
  // Not a state: a page that has just saved leads on at once.
  const held = useRef<{ question: LeaveQuestion; address: string }>(undefined)
  // Stays when the question is answered: the dialog fades with its words.
  const [waiting, setWaiting] = useState<{ question: LeaveQuestion; action: Leaving }>()
  const [isAsking, setAsking] = useState(false)

  const ask = useCallback((question: LeaveQuestion | undefined, action: Leaving) => {
    if (question === undefined) {
      action()
      return
    }
    setWaiting({ question, action })
    setAsking(true)
  }, [])

  const guard = useMemo<LeaveGuard>(
    () => ({
      hold: (question) => {
        held.current = { question, address: location.href }
      },
      release: () => {
        held.current = undefined
      },
      leaveLogin: (action) => ask(work?.question() ?? held.current?.question, action),
    }),
    [ask],
  )

  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (held.current !== undefined || work?.question() !== undefined) event.preventDefault()
    }
    // The browser has gone back already. Its address is put in front again before the router sees the change, so that
    // nothing is lost; the entry before it is then the one that the person wanted.
    const onBack = (event: PopStateEvent) => {
      if (held.current === undefined || isSamePage(held.current.address)) return
      event.stopImmediatePropagation()
      history.pushState(null, '', held.current.address)
      ask(held.current.question, () => history.back())
    }
    addEventListener('beforeunload', onUnload)
    addEventListener('popstate', onBack, { capture: true })
    return () => {
      removeEventListener('beforeunload', onUnload)
      removeEventListener('popstate', onBack, { capture: true })
    }
  }, [ask])

  const stay = () => setAsking(false)
  const leaveAllTheSame = async () => {
    const before = held.current
    guard.release()
    stay()
    // Still here: what is not saved can be lost as before.
    if ((await waiting?.action()) === false) held.current ??= before
  }
  return (
    <Router
      base={base}
      aroundNav={(navigate, to, options) => ask(held.current?.question, () => navigate(to, options))}
    >
      <LeaveGuardContext value={guard}>
        {children}
        {/* Above the dialog that may be what is being left. */}
        <Modal
          zIndex={getDefaultZIndex('popover')}
          opened={isAsking}
          onClose={stay}
          title={waiting?.question.title}
        >
          <Text size="sm">{waiting?.question.text}</Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={stay} data-autofocus>
              Stay
            </Button>
            <Button color="red" onClick={leaveAllTheSame}>
              {waiting?.question.leave}
            </Button>
          </Group>
        </Modal>
      </LeaveGuardContext>
    </Router>
  )
}
