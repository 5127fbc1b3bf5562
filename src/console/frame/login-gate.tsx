import { Button, Group, getDefaultZIndex, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { ServiceClient } from '#client/client'
import { hasStatus, ServiceError } from '#client/service-error'
import {
  type Login,
  LoginToken,
  logIn,
  loginAddress,
  logOut,
  type Workspace,
  workspacesOfLogin,
} from '../service/login'
import { type Session, SessionProvider } from '../session-context'
import { textStore } from '../text-store'
import { Dialog } from '../widgets/dialog'
import { Problem } from '../widgets/problem'
import { endWork } from './leave-guard'
import { ChooseWorkspace, LogIn, NoAccess } from './login-screen'

const lastWorkspace = textStore('catalog-console-workspace')
const readLastWorkspace = () => lastWorkspace.read() ?? undefined

type State =
  | { is: 'opening' }
  /** `byLogout`: the user has logged out here. */
  | { is: 'logged_out'; byLogout: boolean }
  | { is: 'choosing'; workspaces: readonly Workspace[] }
  | { is: 'refused'; error: ServiceError }
  | { is: 'open'; login: Login }

/** Finds out who is logged in, and in which workspace: the last one, if there are several. */
async function open(workspaceId: string | undefined): Promise<State> {
  try {
    return { is: 'open', login: await logIn(workspaceId) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 401) return { is: 'logged_out', byLogout: false }
    // The user may no longer be a member of the stored workspace.
    if (error.status === 403 && workspaceId !== undefined) return open(undefined)
    if (error.status === 400) return { is: 'choosing', workspaces: await workspacesOfLogin() }
    return { is: 'refused', error }
  }
}

function useLogin() {
  const [state, setState] = useState<State>({ is: 'opening' })
  /** Whether a different login was shown before, and the user has not yet been notified. */
  const [isReplaced, setReplaced] = useState(false)
  const newestOpening = useRef<Promise<State>>(undefined)
  const queries = useQueryClient()

  const enter = useCallback(
    async (workspaceId: string | undefined) => {
      setState({ is: 'opening' })
      queries.clear()
      endWork()
      const opening = open(workspaceId).catch(
        (error: unknown): State => ({
          is: 'refused',
          error: error instanceof ServiceError ? error : new ServiceError(String(error), { status: 0 }),
        }),
      )
      newestOpening.current = opening
      const next = await opening
      // The user may have chosen another workspace in the meantime.
      if (newestOpening.current === opening) setState(next)
    },
    [queries],
  )

  const choose = useCallback(
    (workspaceId: string) => {
      lastWorkspace.write(workspaceId)
      void enter(workspaceId)
    },
    [enter],
  )

  const replace = useCallback(
    (workspaceId: string) => {
      setReplaced(true)
      void enter(workspaceId)
    },
    [enter],
  )

  const leave = useCallback(
    (byLogout: boolean) => {
      queries.clear()
      endWork()
      setReplaced(false)
      setState({ is: 'logged_out', byLogout })
    },
    [queries],
  )

  useEffect(() => void enter(readLastWorkspace()), [enter])

  return { state, enter, choose, replace, leave, isReplaced, setReplaced }
}

/** Shows the console to logged-in users, and a login page to everyone else. */
export function LoginGate({ children }: { children: ReactNode }) {
  const { state, enter, choose, replace, leave, isReplaced, setReplaced } = useLogin()
  switch (state.is) {
    case 'opening':
      // The page shows its own frame while this renders nothing; see index.html.
      return null
    case 'logged_out':
      return <LogIn chooseAccount={state.byLogout} />
    case 'choosing':
      return <ChooseWorkspace workspaces={state.workspaces} onChoose={choose} />
    case 'refused':
      return <NoAccess error={state.error} onRetry={() => enter(readLastWorkspace())} />
    case 'open':
      return (
        <OpenSession login={state.login} onChoose={choose} onReload={enter} onReplaced={replace} onLeave={leave}>
          {children}
          <LoginChanged login={state.login} opened={isReplaced} onClose={() => setReplaced(false)} />
        </OpenSession>
      )
  }
}

const LoginChanged = ({ login, ...dialog }: { login: Login; opened: boolean; onClose: () => void }) => (
  <Dialog {...dialog} zIndex={getDefaultZIndex('overlay')} title="The login has changed">
    <Text className="breakable">
      You are now logged in as {login.email}, with the role {login.role}. Unsaved changes are lost.
    </Text>
    <Group justify="flex-end" mt="lg">
      <Button onClick={dialog.onClose} data-autofocus>
        Continue
      </Button>
    </Group>
  </Dialog>
)

/** Notifies the browser's other tabs of a logout. */
const logouts = () => new BroadcastChannel('catalog-console-logout')

function announceLogout(): void {
  const channel = logouts()
  channel.postMessage(null)
  channel.close()
}

interface OpenSessionProps {
  login: Login
  onChoose: (workspaceId: string) => void
  onReload: (workspaceId: string) => void
  /** Like `onReload`, if a different login has replaced the current one. */
  onReplaced: (workspaceId: string) => void
  onLeave: (byLogout: boolean) => void
  children: ReactNode
}

/** The console for a logged-in user. It stays on screen when the session expires, so that nothing is lost. */
function OpenSession({ login, onChoose, onReload, onReplaced, onLeave, children }: OpenSessionProps) {
  const queries = useQueryClient()
  const [hasEnded, setEnded] = useState(false)
  const token = useMemo(() => new LoginToken(login), [login])

  useEffect(
    () =>
      token.watch({
        onEnd: () => setEnded(true),
        onResumed: () => {
          setEnded(false)
          // Reload what could not be loaded in the meantime.
          void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
        },
        onReplaced: () => onReplaced(login.workspace_id),
      }),
    [token, login, onReplaced, queries],
  )

  // A logout in another tab ends the session of all tabs.
  useEffect(() => {
    const channel = logouts()
    channel.onmessage = () => onLeave(true)
    return () => channel.close()
  }, [onLeave])

  const session = useMemo<Session>(() => {
    const scopes = new Set(login.scope.split(' '))
    return {
      login,
      // Only records that are written back are read with `exact`. Merging list responses would not keep exact numbers.
      client: new ServiceClient({ tokens: token, exact: false }),
      can: (scope) => scopes.has(scope),
      changeWorkspace: onChoose,
      reload: () => onReload(login.workspace_id),
      logOut: async () => {
        await logOut()
        announceLogout()
        onLeave(true)
      },
    }
  }, [token, login, onChoose, onReload, onLeave])

  return (
    <SessionProvider value={session}>
      {children}
      <LoginEnded opened={hasEnded} token={token} onLeave={() => onLeave(false)} />
    </SessionProvider>
  )
}

interface LoginEndedProps {
  opened: boolean
  token: LoginToken
  onLeave: () => void
}

/** Shown if the user continues without logging in. */
const NOBODY_YET = new Error('No one is logged in yet. Log in first, then continue here.')

/**
 * Keeps the Escape key from closing dialogs below this one, wherever the focus is. Its listener precedes theirs: it is
 * added with the page, and layout effects run before their effects.
 */
function useEscapeKept(opened: boolean): void {
  const isOpen = useRef(opened)
  useLayoutEffect(() => {
    isOpen.current = opened
  }, [opened])
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && isOpen.current) event.stopImmediatePropagation()
    }
    window.addEventListener('keydown', keep, { capture: true })
    return () => window.removeEventListener('keydown', keep, { capture: true })
  }, [])
}

/** Covers the console after the browser's session has expired, until the same user has logged in again. */
function LoginEnded({ opened, token, onLeave }: LoginEndedProps) {
  const { mutate, reset, error, isPending } = useMutation({
    mutationFn: () => token.resume(),
    gcTime: 0,
  })
  useEscapeKept(opened)
  // Clears the error of the previous time.
  useEffect(() => {
    if (opened) reset()
  }, [opened, reset])
  return (
    <Dialog
      zIndex={getDefaultZIndex('overlay')}
      opened={opened}
      onClose={() => undefined}
      title="Session expired"
      locked
    >
      <Stack>
        <Text>
          Your work on this page is safe. Log in again in a new tab, then return here and continue. If you leave, you
          lose unsaved changes.
        </Text>
        <Problem title="You cannot continue yet" error={hasStatus(error, 401) ? NOBODY_YET : error} />
        <Group justify="flex-end">
          <Button variant="subtle" onClick={onLeave}>
            Leave
          </Button>
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            Continue
          </Button>
          <Button component="a" href={loginAddress()} target="_blank" rel="noopener" data-autofocus>
            Log in
          </Button>
        </Group>
      </Stack>
    </Dialog>
  )
}
