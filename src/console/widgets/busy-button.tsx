import type { ComponentProps } from 'react'

interface BusyButtonProps extends ComponentProps<'button'> {
  'data-loading'?: boolean | 'true'
}

/**
 * The element of every button of the console. While it shows that it is loading, it cannot be pressed but keeps the
 * focus, which a disabled element would lose.
 */
export function BusyButton({ type = 'button', disabled, onClick, ...props }: BusyButtonProps) {
  const isBusy = Boolean(props['data-loading'])
  return (
    <button
      {...props}
      type={type}
      disabled={disabled && !isBusy}
      aria-disabled={isBusy || undefined}
      // Also prevents a form from being sent again with the Enter key.
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    />
  )
}
