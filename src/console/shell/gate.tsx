import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { ServiceError } from '#client/service-error'
import { remembered } from '../remembered'
import { type Login, logIn, type Workspace, workspacesOfLogin } from '../service/access'
import { endWork } from './leave-guard'
import { ChooseWorkspace, LogIn, NoAccess } from './login-screen'
import { OpenSession } from './open-session'

/** The workspace that was chosen last in this browser. */
const lastWorkspace = remembered('catalog-console-workspace')
const rememberedWorkspace = () => lastWorkspace.read() ?? undefined

type State =
  | { is: 'opening' }
  /** `deliberately`: by a logout. */
  | { is: 'logged_out'; deliberately: boolean }
  | { is: 'choosing'; workspaces: readonly Workspace[] }
  | { is: 'refused'; error: ServiceError }
  | { is: 'open'; login: Login }

/** Finds out who is logged in, and where: in the workspace that was chosen last, if there are several. */
async function open(workspaceId: string | undefined): Promise<State> {
  try {
    return { is: 'open', login: await logIn(workspaceId) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.status === 401) return { is: 'logged_out', deliberately: false }
    // The workspace that was remembered is no longer this person's, or nothing was remembered and there are several.
    if (error.status === 403 && workspaceId !== undefined) return open(undefined)
    if (error.status === 400) return { is: 'choosing', workspaces: await workspacesOfLogin() }
    return { is: 'refused', error }
  }
}

/** Who is logged in, and what changes that. */
function useLogin() {
  const [state, setState] = useState<State>({ is: 'opening' })
  /** Whether another login was on screen before, and the person has not been told yet. */
  const [replaced, setReplaced] = useState(false)
  const entering = useRef<Promise<State>>(undefined)
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
      entering.current = opening
      const next = await opening
      // The person may have chosen another workspace meanwhile.
      if (entering.current === opening) setState(next)
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
    (deliberately: boolean) => {
      queries.clear()
      endWork()
      setReplaced(false)
      setState({ is: 'logged_out', deliberately })
    },
    [queries],
  )

  useEffect(() => void enter(rememberedWorkspace()), [enter])

  return { state, enter, choose, replace, leave, replaced, setReplaced }
}

/** Shows its children to people who are logged in, and the login to everybody else. */
export function Gate({ children }: { children: ReactNode }) {
  const { state, enter, choose, replace, leave, replaced, setReplaced } = useLogin()
  switch (state.is) {
    case 'opening':
      // The page shows its frame while there is nothing else; see index.html.
      return null
    case 'logged_out':
      return <LogIn chooseAccount={state.deliberately} />
    case 'choosing':
      return <ChooseWorkspace workspaces={state.workspaces} onChoose={choose} />
    case 'refused':
      return <NoAccess error={state.error} onRetry={() => enter(rememberedWorkspace())} />
    case 'open':
      return (
        <OpenSession
          login={state.login}
          onChoose={choose}
          onReload={enter}
          onReplaced={replace}
          onLeave={leave}
        >
          {children}
          <LoginChanged login={state.login} opened={replaced} onClose={() => setReplaced(false)} />
        </OpenSession>
      )
  }
}

interface LoginChangedProps {
  login: Login
  opened: boolean
  onClose: () => void
}

const LoginChanged = ({ login, opened, onClose }: LoginChangedProps) => (
  <Modal zIndex={getDefaultZIndex('overlay')} opened={opened} onClose={onClose} title="The login has changed">
    <Text className="breakable">
      You are now logged in as {login.email}, with the role {login.role}. What was not saved before is lost.
    </Text>
    <Group justify="flex-end" mt="lg">
      <Button onClick={onClose} data-autofocus>
        Go on
      </Button>
    </Group>
  </Modal>
)
