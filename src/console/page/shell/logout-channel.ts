/** Between the tabs of this console in one browser. */
const CHANNEL = 'catalog-console-logout'

/** Tells the other tabs that the person has logged out. */
export function announceLogout(): void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.postMessage(null)
  channel.close()
}

/** @returns ends the watch */
export function watchLogouts(onLogout: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  channel.onmessage = onLogout
  return () => channel.close()
}
