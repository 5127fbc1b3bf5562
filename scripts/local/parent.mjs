/** How often a process looks whether its parent still runs, in milliseconds. */
const LOOK_MS = 1000

/** Names the parent for a child that loads `scripts/local/end-with-parent.mjs`. */
export const PARENT_VARIABLE = 'ENDS_WITH_PARENT'

/**
 * Calls `end` once when the parent of this process has gone. A parent that was killed passes no signal on.
 *
 * @param {() => void} end
 */
export function onParentGone(end) {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    end()
  }, LOOK_MS)
  timer.unref()
}
