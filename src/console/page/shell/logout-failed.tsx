import { Modal } from '@mantine/core'
import type { RefObject } from 'react'
import { Problem } from './problem'

interface LogoutFailedProps {
  /** Why the logout failed; null where it did not. */
  error: Error | null
  onRetry: () => void
  onClose: () => void
  /** The choice that led here is gone with its menu. */
  focusAfterwards: RefObject<HTMLElement | null>
}

/** Says that the person is still logged in. */
export const LogoutFailed = ({ error, onRetry, onClose, focusAfterwards }: LogoutFailedProps) => (
  <Modal
    opened={error !== null}
    onClose={onClose}
    title="You are still logged in"
    returnFocus={false}
    onExitTransitionEnd={() => focusAfterwards.current?.focus()}
    centered
  >
    {error !== null && <Problem title="The logout did not work" error={error} onRetry={onRetry} />}
  </Modal>
)
