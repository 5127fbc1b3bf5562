import type { Popup } from './popup'

/** What a key does: choose the active row, show that nothing is chosen, or show the list. */
type KeyAction = 'choose' | 'remind' | 'reopen'

const refuse = (event: KeyboardEvent): void => {
  event.preventDefault()
  // Hide the key from a dialog around the box, too.
  event.stopImmediatePropagation()
}

/**
 * Moves in the list, or returns what else a key does. Enter only chooses the active row, which the user reached with
 * the arrow keys. It does not send the form while the text is not a choice. A key that is held down chooses once and
 * does not send the form.
 *
 * @param isUnchosen whether the text is no choice
 */
export function keyAction(event: KeyboardEvent, popup: Popup, isUnchosen: boolean): KeyAction | undefined {
  const { key, repeat } = event
  const { active, isOpen } = popup
  if (event.isComposing) return undefined
  if (key === 'Enter') {
    if (repeat) refuse(event)
    else if (active) {
      event.preventDefault()
      return 'choose'
    } else if (isUnchosen) {
      event.preventDefault()
      return isOpen ? undefined : 'remind'
    }
  } else if (key === 'Escape' && isOpen) {
    refuse(event)
    popup.close()
  } else if (key === 'ArrowDown' && !isOpen) {
    // The next key press moves to the first row.
    refuse(event)
    return 'reopen'
  } else if (isOpen && !event.shiftKey && !event.metaKey && !event.altKey && !event.ctrlKey) {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' && -1
    if (step) {
      event.preventDefault()
      popup.move(step)
    } else popup.reach(undefined)
  }
  return undefined
}
