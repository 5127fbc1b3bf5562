import { Affix, Box, Notification } from '@mantine/core'

interface DoneMessageProps {
  /** Undefined while there is nothing to say. */
  text: string | undefined
  onClose: () => void
}

/** What has been done, in a corner of the window; the page stays as it is. */
export const DoneMessage = ({ text, onClose }: DoneMessageProps) => (
  <Affix position={{ bottom: 16, right: 16 }} zIndex={150} maw="calc(100vw - 2rem)">
    <Box role="status">
      {text !== undefined && (
        <Notification
          role="presentation"
          color="teal"
          withBorder
          onClose={onClose}
          closeButtonProps={{ 'aria-label': 'Close the message' }}
        >
          {text}
        </Notification>
      )}
    </Box>
  </Affix>
)
