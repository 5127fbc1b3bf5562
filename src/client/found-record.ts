/** A record as the search returns it, with the `source` of the response, because an ID belongs to a catalog. */
export type FoundRecord = Readonly<Record<string, unknown>>
