import { Alert, Button, Stack, Text } from '@mantine/core'
import { ArrowRight, Lightbulb } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { recordTypes } from '#shared/records/record-types'
import type { CatalogStatus } from '../service/answers'
import { useSession } from '../session'
import { nextStepOf } from './next-step'

/** What makes sense next, if there is something. */
export function NextStepNotice({ statuses }: { statuses: readonly CatalogStatus[] }) {
  const { can } = useSession()
  const step = nextStepOf(statuses, can('catalog:write'))
  switch (step?.is) {
    case undefined:
      return null
    case 'ask':
      return (
        <Step title="The catalogs are empty">
          An editor or admin of this workspace uploads the first file.
        </Step>
      )
    case 'upload':
      return (
        <Step title="Next: upload your first catalog" action="Upload a file" address={`/${step.type}/upload`}>
          A spreadsheet with one row for each {recordTypes[step.type].title} is enough. You see what it would
          change before anything is written.
        </Step>
      )
    case 'search':
      return (
        <Step
          title="Next: let partners find your records"
          action="Try partner search"
          address={`/${step.type}/search`}
        >
          Partners still find the records of the provider's medical database. Try the search in your own{' '}
          {recordTypes[step.type].plural}, and switch it on.
        </Step>
      )
  }
}

interface StepProps {
  title: string
  children: ReactNode
  action?: string
  address?: string
}

const Step = ({ title, children, action, address }: StepProps) => (
  <Alert color="teal" icon={<Lightbulb />} title={title}>
    <Stack gap="sm" align="flex-start">
      <Text size="sm">{children}</Text>
      {address !== undefined && (
        <Button component={Link} href={address} size="sm" rightSection={<ArrowRight size={16} />}>
          {action}
        </Button>
      )}
    </Stack>
  </Alert>
)
