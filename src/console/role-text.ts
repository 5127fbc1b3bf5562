import type { Role } from '#shared/access/caller'
import { titleCase } from './wording'

export const ROLE_MEANINGS: Readonly<Record<Role, string>> = {
  viewer: 'reads the catalogs and tries the search',
  editor: 'does what a viewer does, and uploads, edits and switches partner search',
  admin: 'does what an editor does, and manages keys and members',
}

/** As a sentence: `Viewer: reads the catalogs and tries the search.` */
export const roleText = (role: Role): string => `${titleCase(role)}: ${ROLE_MEANINGS[role]}.`
