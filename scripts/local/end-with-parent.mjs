/**
 * Loaded by `node --import` into what `startGroup` starts, such as the local server or wrangler. It ends the whole
 * process group when the script that started it has ended, even by SIGKILL. Otherwise workerd would go on and keep the
 * port and the database.
 *
 * Children may inherit the option. Only the leader of the group watches; it is the direct child of the script.
 */
/** How often a process checks whether its parent still runs, in milliseconds. */
const CHECK_MS = 1000

/** Names the parent for a child that loads this file. */
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

/** How long the group may take to end by itself, in milliseconds. */
const GRACE_MS = 5000

if (process.ppid === Number(process.env[PARENT_VARIABLE])) {
  onParentGone(() => {
    const signalGroup = (signal) => process.kill(-process.pid, signal)
    // This process is in the group as well. Without a handler it would end first and could not end the rest.
    process.on('SIGTERM', () => {})
    process.on('exit', () => signalGroup('SIGKILL'))
    signalGroup('SIGTERM')
    setTimeout(() => signalGroup('SIGKILL'), GRACE_MS)
  })
}
