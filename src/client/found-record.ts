/** A record as the search returns it, with the `source` of the answer: an id has a catalog. */
export type FoundRecord = Readonly<Record<string, unknown>>
