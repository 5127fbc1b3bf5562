import { Alert, Button, Text } from '@mantine/core'
import { CircleAlert } from 'lucide-react'
import { ServiceError } from '#client/service-error'

interface ProblemProps {
  /** The failed action: `The list could not be loaded`. */
  title?: string
  /** Null if there is no error. Then nothing is shown. */
  error: Error | null
  onRetry?: (() => void) | undefined
  action?: string
}

const FORBIDDEN = 'Your role in this workspace doesn’t allow this. Ask a workspace admin to change your role.'

const isForbidden = (error: Error): boolean => error instanceof ServiceError && error.status === 403

/** Says what went wrong. For an error of the service, also shows the request ID for the operator. */
export const Problem = ({ title = 'That could not be done', error, onRetry, action = 'Try again' }: ProblemProps) =>
  error !== null && (
    <Alert color="red" title={title} icon={<CircleAlert />} role="alert">
      <Text size="sm">{isForbidden(error) ? FORBIDDEN : error.message}</Text>
      {error instanceof ServiceError && error.status >= 500 && error.requestId !== null && (
        <Text size="sm">Request ID: {error.requestId}</Text>
      )}
      {onRetry !== undefined && (
        <Button size="xs" variant="default" mt="sm" onClick={() => onRetry()}>
          {action}
        </Button>
      )}
    </Alert>
  )
