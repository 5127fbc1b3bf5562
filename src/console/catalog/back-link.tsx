import { Anchor } from '@mantine/core'
import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'

export const BackLink = ({ href, label }: { href: string; label: string }) => (
  <Anchor component={Link} href={href} size="sm" className="back-link">
    <ArrowLeft size={16} />
    {label}
  </Anchor>
)
