import type { Popup } from './popup'

/** What a key does: chooses the row that the arrows have reached, says that nothing is chosen, or shows the list. */
type KeyAction = 'choose' | 'remind' | 'reopen'

const refuse = (event: KeyboardEvent): void => {
  event.preventDefault()
  // A dialog around the box does not see it either.
  event.stopImmediatePropagation()
}

/**
 * Moves in the list, or says what else a key does. Enter chooses the row that the arrows have reached, and nothing
 * else. It sends no form with a text that is no choice. A key that is held down chooses once, and does not send the
 * form with what it has chosen.
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
    // The next press goes to the first row.
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
