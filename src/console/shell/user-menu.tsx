import { Button, type MantineColorScheme, Menu, Modal, useMantineColorScheme } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { BookOpen, CircleUserRound, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useRef } from 'react'
import { roleText } from '../roles'
import { useSession } from '../session'
import { Problem } from '../widgets/problem'
import { useLeaveLogin } from './leave-guard'

const SCHEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'As the system', icon: Monitor },
] as const

export function UserMenu() {
  const { login, logOut } = useSession()
  const leaveLogin = useLeaveLogin()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const button = useRef<HTMLButtonElement>(null)
  const logout = useMutation({ mutationFn: logOut })
  const tryLogout = () =>
    logout.mutateAsync().then(
      () => true,
      () => false,
    )
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            ref={button}
            variant="subtle"
            size="compact-md"
            leftSection={<CircleUserRound size={18} />}
            aria-label={`${login.role}: account of ${login.email}`}
          >
            {login.role}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label maw={280}>
            <span className="breakable">{login.email}</span>
            <br />
            {roleText(login.role)}
          </Menu.Label>
          <Menu.RadioGroup
            aria-label="Colours"
            value={colorScheme}
            onChange={(value) => setColorScheme(value as MantineColorScheme)}
          >
            {SCHEMES.map(({ value, label, icon: Icon }) => (
              <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} />}>
                {label}
              </Menu.RadioItem>
            ))}
          </Menu.RadioGroup>
          <Menu.Divider />
          <Menu.Item component="a" href="/docs" leftSection={<BookOpen size={16} />}>
            API description
          </Menu.Item>
          <Menu.Item leftSection={<LogOut size={16} />} onClick={() => leaveLogin(tryLogout)}>
            Log out
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal
        opened={logout.isError}
        onClose={logout.reset}
        title="You are still logged in"
        // The choice that led here is gone with its menu.
        returnFocus={false}
        onExitTransitionEnd={() => button.current?.focus()}
      >
        {logout.isError && (
          <Problem title="The logout did not work" error={logout.error} onRetry={tryLogout} />
        )}
      </Modal>
    </>
  )
}
