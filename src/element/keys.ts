import type { Popup } from './popup'

/** What the keys of a box need to know, and do, besides moving in its list. */
interface KeyTarget {
  isUnchosen(): boolean
  /** Takes the row that the arrows have reached. */
  commit(option: Element): void
  /** Says that nothing is chosen yet. */
  remind(): void
  /** Shows the list again. */
  reopen(): void
}

const refuse = (event: KeyboardEvent): void => {
  event.preventDefault()
  // Neither does the dialog that holds the box see it.
  event.stopImmediatePropagation()
}

/**
 * Enter chooses the row that the arrows have reached, and nothing else. It sends no form with a text that is no
 * choice. A key that is held down chooses once, and does not send the form with what it has chosen.
 */
function handleEnter(event: KeyboardEvent, popup: Popup, target: KeyTarget): void {
  const { active } = popup
  if (event.repeat) refuse(event)
  else if (active !== undefined) {
    event.preventDefault()
    target.commit(active)
  } else if (target.isUnchosen()) {
    event.preventDefault()
    if (!popup.isOpen) target.remind()
  }
}

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, ArrowUp: -1 }

export function handleKey(event: KeyboardEvent, popup: Popup, target: KeyTarget): void {
  const { key } = event
  if (event.isComposing) return
  if (key === 'Enter') handleEnter(event, popup, target)
  else if (key === 'Escape' && popup.isOpen) {
    refuse(event)
    popup.close()
  } else if (key === 'ArrowDown' && !popup.isOpen) {
    // The next one goes to the first row.
    refuse(event)
    target.reopen()
  } else if (event.shiftKey || event.metaKey || event.altKey || event.ctrlKey || !popup.isOpen) return
  else if (STEPS[key] === undefined) popup.reach(undefined)
  else {
    event.preventDefault()
    popup.move(STEPS[key])
  }
}
