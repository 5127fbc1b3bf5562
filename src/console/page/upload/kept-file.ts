import type { Login } from '../service/access'

/** The file that was on the upload page when the person left it, in memory until the page is reloaded. */
let kept: { file: File; owner: string } | undefined

const ownerOf = ({ email, workspace_id }: Login): string => `${workspace_id} ${email}`

/** Keeps a file for the next visit to the upload page; undefined forgets it. */
export function keepFile(login: Login, file: File | undefined): void {
  kept = file && { file, owner: ownerOf(login) }
}

/** The file that the same person left in the same workspace. */
export function takeKeptFile(login: Login): File | undefined {
  const file = kept?.owner === ownerOf(login) ? kept.file : undefined
  kept = undefined
  return file
}
