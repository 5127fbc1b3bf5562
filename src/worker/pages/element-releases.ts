import releases from './releases/releases.json'

/** A released version of `<catalog-search>`, whose file never changes. */
interface Release {
  version: string
  /** In the form of subresource integrity. */
  integrity: string
}

/** Oldest first; `scripts/element/check.mjs` keeps the list. */
const RELEASES: readonly Release[] = releases

/** The path of a released file, in the service and below `dist/assets`. */
export const pathOf = (version: string): string => `/embed/${version}/catalog-search.js`

/** Newest first. */
export const listedReleases = () =>
  RELEASES.toReversed().map(({ version, integrity }) => ({ version, path: pathOf(version), integrity }))

/** What a version in an address names: a release, or the newest one of a major version (`v1`). */
export function findRelease(version: string): { release: Release; isFixed: boolean } | undefined {
  const major = /^v(\d+)$/.exec(version)?.[1]
  const release = RELEASES.findLast((each) =>
    major === undefined ? each.version === version : each.version.startsWith(`${major}.`),
  )
  return release && { release, isFixed: major === undefined }
}
