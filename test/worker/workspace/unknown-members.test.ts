import { it } from 'vitest'
import { callOperator, createWorkspace } from '../../support/credentials'
import { expectFieldError } from '../../support/responses'

it.each([
  ['api-keys', { client_id: 'a-client', scope: ['search'] }, 'scope', 'did you mean scopes?'],
  [
    'partner-credentials',
    { issuer: 'https://a.example', origins: [] },
    'origins',
    'there are: issuer, allowed_origins',
  ],
  ['webhooks', { url: 'https://hooks.clinic.example/', event: [] }, 'event', 'did you mean events?'],
  ['quota', { record: 10 }, 'record', 'did you mean records?'],
])(
  'a body for %s with a misspelt member is refused, because it would count as left out',
  async (path, body, field, offer) => {
    const response = await callOperator(`/workspaces/${await createWorkspace()}/${path}`, body)
    await expectFieldError(response, field, `is not a member of this body; ${offer}`)
  },
)
