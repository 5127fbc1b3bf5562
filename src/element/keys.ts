import type { Popup } from './popup'

/** What the keys of a box need to know, and do, besides moving in its list. */
interface KeyTarget {
  isUnchosen(): boolean
  /** Says that nothing is chosen yet. */
  remind(): void
  /** Shows the list again. */
  reopen(): void
}

const refuse = (event: KeyboardEvent): void => {
  event.preventDefault()
  // Neither do the keys of the list see it, nor the dialog that holds the box.
  event.stopImmediatePropagation()
}

/**
 * Enter chooses the row that the arrows have reached, and nothing else. It sends no form with a text that is no
 * choice. A key that is held down chooses once, and does not send the form with what it has chosen.
 */
function handleEnter(event: KeyboardEvent, popup: Popup, target: KeyTarget): void {
  if (event.repeat) refuse(event)
  else if (!popup.isOnRow && target.isUnchosen()) {
    event.preventDefault()
    if (!popup.isOpen) target.remind()
  }
}

/** Runs before the keys of the list. */
export function handleKey(event: KeyboardEvent, popup: Popup, target: KeyTarget): void {
  if (event.isComposing) return
  if (event.key === 'Enter') handleEnter(event, popup, target)
  else if (event.key === 'Escape' && popup.isOpen) {
    refuse(event)
    popup.close()
  } else if (event.key === 'ArrowDown' && !popup.isOpen) {
    // The next one goes to the first row.
    refuse(event)
    target.reopen()
  }
}
