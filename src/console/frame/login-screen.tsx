import { Alert, Button, Center, NavLink, Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ServiceError } from '#client/service-error'
import { loginAddress, type Workspace } from '../service/login'

/** A page without the console's frame, such as the login page. */
export const LoginScreen = ({ title, children }: { title: string; children: ReactNode }) => (
  <Center component="main" mih="100dvh" p="md" className="page-background">
    <Paper withBorder p="xl" w="100%" maw={420}>
      <Stack>
        <img src="/console/icon.svg" alt="" width={40} height={40} />
        <Title order={1} size="h3">
          {title}
        </Title>
        {children}
      </Stack>
    </Paper>
  </Center>
)

/** The login page. @param chooseAccount whether the provider asks for an account, even if someone is logged in there */
export const LogIn = ({ chooseAccount }: { chooseAccount: boolean }) => (
  <LoginScreen title="Catalog console">
    <Text>Upload, check and search the medications, lab tests, symptoms and diagnoses of your workspace.</Text>
    <Button component="a" href={loginAddress({ chooseAccount })}>
      Log in
    </Button>
  </LoginScreen>
)

/** Asks a member of several workspaces which one to open. */
export const ChooseWorkspace = ({
  workspaces,
  onChoose,
}: {
  workspaces: readonly Workspace[]
  onChoose: (workspaceId: string) => void
}) => (
  <LoginScreen title="Choose a workspace">
    <Stack gap={4} component="nav" aria-label="Workspaces">
      {workspaces.map(({ workspace_id, name, role }) => (
        <NavLink
          key={workspace_id}
          component="button"
          label={name}
          description={`${workspace_id}, ${role}`}
          onClick={() => onChoose(workspace_id)}
        />
      ))}
    </Stack>
  </LoginScreen>
)

/** Says why the user has no access. */
export const NoAccess = ({ error, onRetry }: { error: ServiceError; onRetry: () => void }) => (
  <LoginScreen title={error.status === 403 ? 'No access' : 'The console cannot be opened'}>
    <Alert color="red" role="alert">
      {error.status === 404 ? 'Browser login is not configured on this service. Ask its operator.' : error.message}
    </Alert>
    {error.status === 403 && <Text>Ask an admin of the workspace to add the address that you log in with.</Text>}
    <Button onClick={onRetry}>Try again</Button>
    <Button component="a" href={loginAddress({ chooseAccount: true })} variant="default">
      Use a different account
    </Button>
  </LoginScreen>
)
