import { CloseButton, Loader, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { MAX_QUERY_LENGTH } from '#shared/limits'

/** Pause in typing before a search begins, in milliseconds. */
const TYPING_PAUSE_MS = 200

interface SearchInputProps {
  label: string
  placeholder: string
  value: string
  loading: boolean
  onSearch: (text: string) => void
  /** Whether it takes the focus when a dialog opens. */
  isFirst?: boolean
}

/** The search of a page. */
export function SearchInput({ label, placeholder, value, loading, onSearch, isFirst = false }: SearchInputProps) {
  const [text, setText] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const lastSent = useRef(value)
  const send = useDebouncedCallback((typed: string) => {
    lastSent.current = typed
    onSearch(typed)
  }, TYPING_PAUSE_MS)

  // The URL has changed: the user went back, or followed a link.
  useEffect(() => {
    if (value === lastSent.current) return
    send.cancel()
    lastSent.current = value
    setText(value)
  }, [value, send])

  const change = (typed: string) => {
    setText(typed)
    send(typed)
  }
  return (
    <TextInput
      ref={input}
      label={label}
      placeholder={placeholder}
      flex="1 1 260px"
      maxLength={MAX_QUERY_LENGTH}
      {...(isFirst && { 'data-autofocus': true })}
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      leftSection={<Search size={16} />}
      rightSection={
        loading ? (
          <Loader size={16} aria-label="Searching" />
        ) : (
          text !== '' && (
            <CloseButton
              size="sm"
              aria-label="Clear the search"
              onClick={() => {
                change('')
                input.current?.focus()
              }}
            />
          )
        )
      }
    />
  )
}
