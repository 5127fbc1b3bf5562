/** What a webhook can be told of. A `test` is sent to every webhook that is tested, so it is not among them. */
export const EVENTS = ['catalog.changed', 'sync.late', 'sync.refused', 'sync.recovered'] as const
export type WebhookEvent = (typeof EVENTS)[number]

/** What the topics of messages about the records of a catalog begin with: only the newest of a catalog is sent. */
export const CATALOG_CHANGED = 'catalog.changed' satisfies WebhookEvent
