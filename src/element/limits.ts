/** What the element waits for and keeps, in one place: times are in milliseconds. */

/** Without a key before a search begins. */
export const DEBOUNCE_MS = 150

/** Without an answer before the box says so. */
export const SLOW_MS = 1000

/** Without an answer before a request is cancelled. */
export const TIMEOUT_MS = 15_000

/**
 * How long a new search waits for the first one of the page. Until that is answered, the browser does not know that it
 * may send searches, and would ask for permission again.
 */
export const FIRST_ANSWER_MS = 1000

/** The wait after a failure doubles with each that follows it, this many times. */
export const MOST_DOUBLINGS = 6

/** The longest wait that an answer can ask for. Timers cannot wait three times as long. */
export const MOST_WAIT_MS = 1e9

/** After this time the browser has told what the content policy has blocked. */
export const VIOLATION_MS = 100

/** A list that has just changed takes no choice for this time: somebody was on the way to another row. */
export const NEW_LIST_MS = 300

/** How often to look whether the page has changed the text: no event tells it. */
export const FOLLOW_MS = 250

/** For this time a record stands for an id that the page sets. Then it is looked up again. */
export const RECORD_MS = 60_000

/** Most sessions that are kept. */
export const MOST_SESSIONS = 20

/** Records of one request. */
export const PAGE_RECORDS = 50

/** Most matches that can be read. There may be others, which a longer text finds. */
export const MOST_MATCHES = 500

/** Most characters of a search. */
export const MOST_CHARACTERS = 200
