/** How often a process checks whether its parent still runs, in milliseconds. */
const CHECK_MS = 1000

/** Names the parent for a child that loads `scripts/local/end-with-parent.mjs`. */
export const PARENT_VARIABLE = 'ENDS_WITH_PARENT'

/**
 * Calls `end` once when the parent of this process has ended. A parent that was killed passes no signal on.
 *
 * @param {() => void} end
 */
export function onParentGone(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, CHECK_MS)
  timer.unref()
}
