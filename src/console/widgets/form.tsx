import { Button, Group, Stack } from '@mantine/core'
import type { UseMutationResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { ServiceError } from '#client/service-error'
import { titleCase } from '../wording'
import { Problem } from './problem'

/** The errors of a form's fields, by name. */
export type FieldMessages = Readonly<Record<string, string>>

/**
 * The fields that the service rejects; none for other kinds of errors. A message about a list item, such as
 * `allowed_origins.0`, is shown at the field, with the item's value.
 *
 * @param say turns a field's error into a sentence
 */
export function refusedFields(error: Error | null, say = (msg: string) => msg): FieldMessages {
  const messages: Record<string, string> = {}
  if (!(error instanceof ServiceError)) return messages
  for (const item of error.errors) {
    if (!('msg' in item) || item.field === null) continue
    const [field = '', ...rest] = item.field.split('.')
    messages[field] ??= rest.length === 0 ? say(item.msg) : `${String(item.value)} ${item.msg}`
  }
  return messages
}

export const hasMessages = (messages: FieldMessages): boolean => Object.keys(messages).length > 0

interface FormProps {
  label?: string
  /** A new value moves the focus to the first field with an error. */
  refusal: unknown
  onSubmit: (values: FormData) => void
  children: ReactNode
}

/** A form that shows the page's and the service's errors instead of the browser's. */
export function Form({ label, refusal, onSubmit, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once per rejection
  useEffect(() => {
    // In the next frame, because a hidden field must be shown first.
    const frame = requestAnimationFrame(() =>
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus(),
    )
    return () => cancelAnimationFrame(frame)
  }, [refusal])
  return (
    <form
      ref={form}
      noValidate
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit(new FormData(event.currentTarget))
      }}
    >
      {children}
    </form>
  )
}

interface RequestFormProps<Body, Answer> {
  mutation: UseMutationResult<Answer, Error, Body>
  /** The action on the button: `Create API key`. */
  action: string
  bodyOf: (values: FormData) => Body
  /** Finds errors that the service would not find. */
  check?: ((body: Body) => FieldMessages) | undefined
  onDone?: ((answer: Answer) => void) | undefined
  onCancel: () => void
  children: (messages: FieldMessages) => ReactNode
}

/** A form that sends one request, and shows the service's errors at its fields. */
export function RequestForm<Body, Answer>(props: RequestFormProps<Body, Answer>) {
  const { mutation, action, bodyOf, check, onDone, onCancel, children } = props
  const [ownMessages, setOwnMessages] = useState<FieldMessages>({})
  const { error, isPending } = mutation
  const messages = { ...refusedFields(error, titleCase), ...ownMessages }
  const send = (values: FormData) => {
    if (isPending) return
    const body = bodyOf(values)
    const errors = check?.(body) ?? {}
    setOwnMessages(errors)
    mutation.reset()
    if (!hasMessages(errors)) mutation.mutate(body, { onSuccess: (answer) => onDone?.(answer) })
  }
  return (
    <Form refusal={Object.values(messages).join('\n')} onSubmit={send}>
      <Stack>
        {children(messages)}
        {error !== null && !hasMessages(messages) && <Problem error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={isPending}>
            Cancel
          </Button>
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </Form>
  )
}
