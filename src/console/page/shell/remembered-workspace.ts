const KEY = 'catalog-console-workspace'

// A browser that keeps nothing for pages throws at every access; the choice then lasts as long as the page.
let chosen: string | undefined

/** The workspace that was chosen last in this browser. */
export function rememberedWorkspace(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined
  } catch {
    return chosen
  }
}

export function rememberWorkspace(workspaceId: string): void {
  chosen = workspaceId
  try {
    localStorage.setItem(KEY, workspaceId)
  } catch {
    // Asked again the next time.
  }
}
