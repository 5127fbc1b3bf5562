/** What a webhook can be told of. */
export const EVENTS = ['catalog.changed', 'sync.late', 'sync.refused', 'sync.recovered'] as const
export type WebhookEvent = (typeof EVENTS)[number]

/** Sent to a webhook that is tested, whatever it is told of. */
export const TEST = 'test'

/** What the topics of messages about the records of a catalog begin with: only the newest of a catalog is sent. */
export const CATALOG_CHANGED = 'catalog.changed' satisfies WebhookEvent
