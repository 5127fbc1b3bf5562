import type { Popup } from './popup'

/** What a key does: chooses the row that the arrows have reached, says that nothing is chosen, or shows the list. */
type KeyAction = 'choose' | 'remind' | 'reopen'

const refuse = (event: KeyboardEvent): void => {
  event.preventDefault()
  // A dialog around the box does not see it either.
  event.stopImmediatePropagation()
}

/**
 * Enter chooses the row that the arrows have reached, and nothing else. It sends no form with a text that is no
 * choice. A key that is held down chooses once, and does not send the form with what it has chosen.
 */
function enterAction(event: KeyboardEvent, popup: Popup, isUnchosen: boolean): KeyAction | undefined {
  if (event.repeat) {
    refuse(event)
    return undefined
  }
  if (popup.active !== undefined || isUnchosen) event.preventDefault()
  if (popup.active !== undefined) return 'choose'
  return isUnchosen && !popup.isOpen ? 'remind' : undefined
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

/** Moves in the list, or says what else a key does. @param isUnchosen whether the text is no choice */
export function keyAction(event: KeyboardEvent, popup: Popup, isUnchosen: boolean): KeyAction | undefined {
  const { key } = event
  if (event.isComposing) return undefined
  if (key === 'Enter') return enterAction(event, popup, isUnchosen)
  if (key === 'Escape' && popup.isOpen) {
    refuse(event)
    popup.close()
  } else if (key === 'ArrowDown' && !popup.isOpen) {
    // The next press goes to the first row.
    refuse(event)
    return 'reopen'
  } else if (event.shiftKey || event.metaKey || event.altKey || event.ctrlKey || !popup.isOpen) return undefined
  else if (STEPS[key] === undefined) popup.reach(undefined)
  else {
    event.preventDefault()
    popup.move(STEPS[key])
  }
  return undefined
}
