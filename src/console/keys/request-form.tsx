import { Button, Group, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { ServiceError } from '#client/service-error'
import { Problem } from '../widgets/problem'
import { titleCase } from '../wording'

export type FieldMessages = Readonly<Record<string, string>>

interface RequestFormProps<Body, Created> {
  addition: UseMutationResult<Created, Error, Body>
  /** What the button does: `Create API key`. */
  action: string
  bodyOf: (form: FormData) => Body
  /** Finds what the service would not object to. */
  check?: (body: Body) => FieldMessages
  onCreated?: (created: Created) => void
  onCancel: () => void
  children: (messages: FieldMessages) => ReactNode
}

/**
 * The service names list elements too, `allowed_origins.0`: they are told at the field as a whole, with their values.
 */
function messagesOf(error: Error | null): FieldMessages {
  const messages: Record<string, string> = {}
  if (!(error instanceof ServiceError)) return messages
  for (const item of error.errors) {
    if (!('msg' in item) || item.field === null) continue
    const [field = '', ...rest] = item.field.split('.')
    messages[field] ??= rest.length === 0 ? titleCase(item.msg) : `${String(item.value)} ${item.msg}`
  }
  return messages
}

/** A form that shows its errors at its fields, those of the service included. */
export function RequestForm<Body, Created>({
  addition,
  action,
  bodyOf,
  check,
  onCreated,
  onCancel,
  children,
}: RequestFormProps<Body, Created>) {
  const form = useRef<HTMLFormElement>(null)
  const [found, setFound] = useState<FieldMessages>({})
  const { error, isPending } = addition
  const messages = { ...messagesOf(error), ...found }
  const isTold = Object.keys(messages).length > 0
  const allMessages = Object.values(messages).join('\n')

  useEffect(() => {
    if (allMessages !== '') form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [allMessages])

  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (isPending) return
    const body = bodyOf(new FormData(event.currentTarget))
    const errors = check?.(body) ?? {}
    setFound(errors)
    addition.reset()
    if (Object.keys(errors).length === 0) addition.mutate(body, { onSuccess: (created) => onCreated?.(created) })
  }

  return (
    <form ref={form} onSubmit={send} noValidate>
      <Stack>
        {children(messages)}
        {error !== null && !isTold && <Problem title="That could not be done" error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
