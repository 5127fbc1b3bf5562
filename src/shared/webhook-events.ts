/** The events to which a webhook can subscribe. */
export const EVENTS = ['catalog.changed', 'sync.late', 'sync.refused', 'sync.recovered'] as const
export type WebhookEvent = (typeof EVENTS)[number]

/** Sent to test a webhook, whatever its events are. */
export const TEST = 'test'

/** Prefix of the topics of messages about a catalog's records. Only the newest of each catalog is sent. */
export const CATALOG_CHANGED = 'catalog.changed' satisfies WebhookEvent
