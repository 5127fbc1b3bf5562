/** The element's times, in milliseconds, and its limits. */

/** Time without a keystroke before a search begins. */
export const DEBOUNCE_MS = 150

/** Time without a response before the box says so. */
export const SLOW_MS = 1000

/** Time without a response before a request is canceled. */
export const TIMEOUT_MS = 15_000

/**
 * How long a new search waits for the first search of the page. Until that has a response, the browser has no cached
 * preflight result, and would send another preflight request.
 */
export const FIRST_ANSWER_MS = 1000

/** How often the wait doubles after consecutive failures. */
export const MOST_DOUBLINGS = 6

/** The longest wait that a response can ask for. Browser timers are limited to 2.1e9. */
export const MOST_WAIT_MS = 1e9

/** How long the browser needs to report a violation of the Content Security Policy. */
export const VIOLATION_MS = 100

/** How long a list that has just changed ignores choices: the user may have been aiming at a different row. */
export const NEW_LIST_MS = 300

/** How often to check whether the page changed the text. There is no event for this. */
export const FOLLOW_MS = 250

/** How long a known record is used for an ID that the page sets. After this time, it is looked up again. */
export const RECORD_MS = 60_000

/** The most sessions that are kept. */
export const MOST_SESSIONS = 20

/** Records per request. */
export const PAGE_RECORDS = 50

/** The most matches that can be loaded. A longer search text finds the rest. */
export const MOST_MATCHES = 500

/** The most characters of a search. */
export const MOST_CHARACTERS = 200
