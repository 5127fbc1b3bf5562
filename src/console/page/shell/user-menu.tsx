import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core'
import { BookOpen, CircleUserRound, LogOut, Monitor, Moon, Sun } from 'lucide-react'
import { useSession } from '../session'
import { useLeaveGuard } from './leave-guard'

const SCHEMES = [
  { value: 'light', label: 'Light', icon: Sun },
  { value: 'dark', label: 'Dark', icon: Moon },
  { value: 'auto', label: 'As the system', icon: Monitor },
] as const

export function UserMenu() {
  const { login, logOut } = useSession()
  const { leave } = useLeaveGuard()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button
          variant="subtle"
          size="compact-md"
          leftSection={<CircleUserRound size={18} aria-hidden />}
          aria-label={`${login.role}: account of ${login.email}`}
        >
          {login.role}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{login.email}</Menu.Label>
        <Menu.RadioGroup
          aria-label="Colours"
          value={colorScheme}
          onChange={(value) => setColorScheme(value as MantineColorScheme)}
        >
          {SCHEMES.map(({ value, label, icon: Icon }) => (
            <Menu.RadioItem key={value} value={value} rightSection={<Icon size={16} aria-hidden />}>
              {label}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" leftSection={<BookOpen size={16} aria-hidden />}>
          API description
        </Menu.Item>
        <Menu.Item leftSection={<LogOut size={16} aria-hidden />} onClick={() => leave(logOut)}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
