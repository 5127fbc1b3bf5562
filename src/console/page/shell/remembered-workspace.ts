const KEY = 'catalog-console-workspace'

/** The workspace that was chosen last in this browser. */
export const rememberedWorkspace = (): string | undefined => localStorage.getItem(KEY) ?? undefined

export const rememberWorkspace = (workspaceId: string): void => localStorage.setItem(KEY, workspaceId)
