import { Alert } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { WifiOff } from 'lucide-react'

export function Offline() {
  const { online } = useNetwork()
  if (online) return null
  return (
    <Alert color="orange" icon={<WifiOff />} title="You are offline" role="alert" mb="md">
      What you see may be out of date, and nothing can be saved until the connection is back.
    </Alert>
  )
}
