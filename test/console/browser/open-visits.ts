/** What a test that fails needs of a visit. */
interface OpenVisit {
  /** What its pages show, and what went wrong in them. */
  tell(): Promise<string>
  end(): Promise<void>
}

/** Visits that have begun and not ended. Tests without a browser load this module too, so it imports nothing. */
export const openVisits = new Set<OpenVisit>()
