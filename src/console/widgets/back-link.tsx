import { Anchor } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'

/** A link to the parent page. */
export const BackLink = ({ href, label }: { href: string; label: string }) => (
  <Anchor component={Link} href={href} size="sm" display="inline-block" mb="xs">
    <ArrowLeft size={16} style={{ verticalAlign: 'text-bottom', marginRight: 4 }} />
    {label}
  </Anchor>
)
