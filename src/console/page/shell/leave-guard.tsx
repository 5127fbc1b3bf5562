import { Button, Group, Modal, Text } from '@mantine/core'
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

interface LeaveGuard {
  /** From now on, whoever wants to leave is asked first. */
  hold(): void
  release(): void
  /** Does what leads away, at once or when the person has agreed to lose what is not saved. */
  leave(action: () => void): void
}

const LeaveGuardContext = createContext<LeaveGuard | undefined>(undefined)

/** @throws Error outside of `GuardedRouter` */
export function useLeaveGuard(): LeaveGuard {
  const guard = useContext(LeaveGuardContext)
  if (guard === undefined) throw new Error('there is no router here')
  return guard
}

/**
 * Asks before somebody leaves the page that is shown, as long as something is not saved.
 *
 * @returns ends that at once, for a way on after saving
 */
export function useUnsaved(unsaved: boolean): () => void {
  const { hold, release } = useLeaveGuard()
  useEffect(() => {
    if (!unsaved) return
    hold()
    return release
  }, [unsaved, hold, release])
  return release
}

/** The router, which asks before it shows another page where something is not saved. */
export function GuardedRouter({ base, children }: { base: string; children: ReactNode }) {
  // Not a state: a page that has just saved leads on at once.
  const heldAddress = useRef<string>(undefined)
  const [waiting, setWaiting] = useState<{ action: () => void }>()

  const leave = useCallback((action: () => void) => {
    if (heldAddress.current === undefined) action()
    else setWaiting({ action })
  }, [])

  const guard = useMemo<LeaveGuard>(
    () => ({
      hold: () => {
        heldAddress.current = location.href
      },
      release: () => {
        heldAddress.current = undefined
      },
      leave,
    }),
    [leave],
  )

  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (heldAddress.current !== undefined) event.preventDefault()
    }
    // The browser has gone back already. Its address is put in front again before the router sees the change, so that
    // what is not saved stays; the entry before it is then the one that the person wanted.
    const onBack = (event: PopStateEvent) => {
      if (heldAddress.current === undefined) return
      event.stopImmediatePropagation()
      history.pushState(null, '', heldAddress.current)
      setWaiting({ action: () => history.back() })
    }
    addEventListener('beforeunload', onUnload)
    addEventListener('popstate', onBack, { capture: true })
    return () => {
      removeEventListener('beforeunload', onUnload)
      removeEventListener('popstate', onBack, { capture: true })
    }
  }, [])

  const stay = () => setWaiting(undefined)
  return (
    <Router base={base} aroundNav={(navigate, to, options) => leave(() => navigate(to, options))}>
      <LeaveGuardContext value={guard}>
        {children}
        <Modal opened={waiting !== undefined} onClose={stay} title="Leave without saving?" centered>
          <Text size="sm">What you have changed on this page is not saved, and is lost when you leave.</Text>
          <Group justify="flex-end" mt="lg">
            <Button variant="default" onClick={stay} data-autofocus>
              Stay
            </Button>
            <Button
              color="red"
              onClick={() => {
                guard.release()
                stay()
                waiting?.action()
              }}
            >
              Leave without saving
            </Button>
          </Group>
        </Modal>
      </LeaveGuardContext>
    </Router>
  )
}
