import { Button, Group, getDefaultZIndex, Modal, Text } from '@mantine/core'
import type { Login } from '../service/access'

interface LoginChangedProps {
  /** The one that is good now. */
  login: Login
  opened: boolean
  onClose: () => void
}

/** Says that another person is logged in now, and who. */
export const LoginChanged = ({ login, opened, onClose }: LoginChangedProps) => (
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
