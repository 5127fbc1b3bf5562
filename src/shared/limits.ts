/** Limits that callers and operators see or several folders share, each with its unit and its reason. */

const MEBIBYTE = 1024 * 1024

/** Request body, in bytes, counted as it arrives and again after decompression. */
export const MAX_BODY_BYTES = 10 * MEBIBYTE

/** Bytes of an oversized body to read and drop before the 413. Cut off earlier, a client never sees the response. */
export const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES

/** Body of an endpoint that accepts one small JSON object, in bytes. The largest valid one has less than 1 KB. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024

/** Bodies up to this size, in bytes, are processed without waiting for memory or for a slot. */
export const LARGE_BODY_BYTES = 64 * 1024

/** Milliseconds without a byte after which the service stops waiting for a body. */
export const BODY_IDLE_MS = 10_000

/** Request duration in milliseconds. Workers have no wall-clock limit of their own. */
export const REQUEST_DEADLINE_MS = 29_000

/** Duration of a streamed response, in milliseconds: a catalog of 500,000 records at 3 Mbit/s. */
export const LONGEST_STREAM_MS = 10 * 60_000

/**
 * Default quotas of a workspace. The largest formularies have about 100,000 records of 500 bytes. A database holds
 * 10 GB; the rows of 100,000 documents use up to 100 MB of it.
 */
export const DEFAULT_QUOTA = {
  /** Records in all catalogs together. */
  records: 500_000,
  /** Bytes of these records. */
  bytes: 500_000_000,
  documents: 100_000,
  document_bytes: 10_000_000_000,
  /** Registrations that have not expired, or expired a short time ago. */
  registrations: 10_000,
} as const

/** Rows with data in one CSV file. */
export const MAX_CSV_ROWS = 50_000

/** Rows in one CSV file, including blank rows: 10 MB of them compress to 10 KB. */
export const MAX_CSV_LINES = 200_000

/** Cells in one row of a CSV file: the most that a spreadsheet program can write (columns A to XFD). */
export const MAX_CSV_COLUMNS = 16_384

/** Elements in a JSON list: more cannot be valid records within `MAX_BODY_BYTES`. */
export const MAX_JSON_RECORDS = 400_000

/** Items in one list of a record, such as its aliases: several times what real catalogs have. */
export const MAX_LIST_ITEMS = 1000

/** Warnings about unknown fields and columns that one write lists. One more warning counts the rest. */
export const MAX_WARNINGS = 100

/** Examples in a warning: the default, and the most that a caller can request. */
export const DEFAULT_EXAMPLES = 10
export const MAX_EXAMPLES = 1000

/** Characters of one CSV cell, including quotes. The longest valid value has fewer. */
export const MAX_CELL_CHARACTERS = 1_000_000

/** Characters of one record's normalized names and aliases. Normalization can turn one character into eighteen. */
export const MAX_SEARCH_TEXT_CHARACTERS = 100_000

/** Characters of the normalized texts of all records of a write. Only normalization can exceed the body size. */
export const MAX_REQUEST_SEARCH_CHARACTERS = MAX_BODY_BYTES

/** Page size of lists: 1 to 1000. */
export const MAX_PAGE_SIZE = 1000
export const DEFAULT_PAGE_SIZE = 100

/** Matches of a partner search: 1 to 50. */
export const MAX_SEARCH_RESULTS = 50
export const DEFAULT_SEARCH_RESULTS = 20
/** Largest `offset` of a partner search. */
export const MAX_SEARCH_OFFSET = 450
/** Matches that paging can reach. To reach others, users type more. */
export const MAX_SEARCH_MATCHES = MAX_SEARCH_OFFSET + MAX_SEARCH_RESULTS

/** A search without a match is kept only within these numbers of words, characters and consecutive digits. */
export const MAX_MISS_WORDS = 6
export const MIN_MISS_CHARACTERS = 3
export const MAX_MISS_CHARACTERS = 64
export const MAX_MISS_DIGITS = 4
/** Searches without a match kept per catalog, and days after the last report until one is deleted. */
export const KEPT_MISSES = 500
export const MISS_DAYS = 90
/** Page size of the list of searches without a match: 1 to 100. */
export const MAX_LISTED_MISSES = 100
export const DEFAULT_LISTED_MISSES = 20

/** Names that users may add to one record, and the characters of each. */
export const MAX_ADDED_NAMES = 20
export const MAX_ADDED_NAME_CHARACTERS = MAX_MISS_CHARACTERS

/** Code points in the `q` of a list. */
export const MAX_QUERY_LENGTH = 200

/**
 * Bytes of memory for a write's records on their way to the database: the chunks, and the JSON that the binding makes
 * of them. Measured: an isolate with a heap of 100 MB survives 80 MB, but not 83.
 */
export const MAX_SENT_BYTES = 80_000_000

/** Characters of one record in the database, including its lists. It must fit into a chunk. */
export const MAX_RECORD_CHARACTERS = 500_000

/** Seconds for which an isolate caches a credential. Revocations must take effect within 60 seconds. */
export const CREDENTIAL_CACHE_SECONDS = 30

/**
 * Seconds after which no request can still act on an earlier state of a workspace: an isolate caches the state for 30,
 * a request ends within 29, and work after its response within 30. Moves and erasures wait that long.
 */
export const STATE_SETTLES_SECONDS = 90

/** Lifetime of an access token from client credentials, in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600

/** Bytes at which a page of a list, an export or a diff ends early. The response uses several times as much memory. */
export const MAX_PAGE_BYTES = 4_000_000

/** Characters of a file name that are kept. */
export const MAX_FILE_NAME_LENGTH = 255

/** Rows per query of an export: a million records need 500 of an invocation's 1,000 queries. */
export const EXPORT_PAGE_ROWS = 2000

/** Rows per query of a CSV diff: the largest diff needs about 900 of an invocation's 1,000 queries. */
export const DIFF_PAGE_ROWS = 5000

/** Records in each list of a JSON diff. A CSV diff is complete. */
export const DIFF_LIST_RECORDS = 50

/** A list of writes shows the changes of each write that changed at most this many records. */
export const LISTED_CHANGES = 3

/** Tolerance for the clocks of partners, in seconds. */
export const PARTNER_CLOCK_TOLERANCE_SECONDS = 60

/** Longest lifetime of a partner token, `exp` minus `iat`, in seconds. */
export const MAX_PARTNER_TOKEN_SECONDS = 900

/** Code points of the `jti` of a partner token. */
export const MAX_JTI_LENGTH = 255

/** Lifetime of an access token from the exchange of a partner token, in seconds. */
export const PARTNER_SESSION_SECONDS = 900

/** Characters of an email address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254

/** Seconds from the start of a browser login to its end. */
export const LOGIN_TRANSACTION_SECONDS = 600

/** Characters of `return_to`: sealed with the rest of a transaction, it must fit into a cookie of 4096 bytes. */
export const MAX_RETURN_TO_LENGTH = 1024

/** Lifetime of a browser session, in seconds: a working day. */
export const SESSION_SECONDS = 8 * 3600

/** Simultaneous sessions of one user. A further login ends the oldest. */
export const MAX_SESSIONS = 20

/** Lifetime of the one-time code for a command-line client, in seconds. */
export const LOGIN_CODE_SECONDS = 60

/** Tasks of one document: several times what a document needs, in a row of less than 2 KB. */
export const MAX_DOCUMENT_TASKS = 20

/** Web origins of one partner credential. */
export const MAX_ALLOWED_ORIGINS = 20

/** Characters of an issuer or an origin. */
export const MAX_ADDRESS_LENGTH = 255

/** Longest time between two uploads of a monitored catalog, in hours: a month. */
export const MAX_WATCH_HOURS = 744

/** Longest delay before a catalog counts as late, in hours: a week. */
export const MAX_GRACE_HOURS = 168
export const DEFAULT_GRACE_HOURS = 1

/** Limits per workspace: several times what a large one uses. The same number of revoked ones is kept. */
export const WORKSPACE_LIMITS = {
  api_keys: 200,
  partner_credentials: 50,
  encryption_keys: 20,
  members: 1000,
  webhooks: 5,
} as const

/** Earliest start of each attempt to deliver a webhook message, in milliseconds after the first attempt. */
export const WEBHOOK_ATTEMPTS_AFTER_MS = [0, 10, 30, 2 * 60, 5 * 60, 10 * 60, 24 * 60].map(
  (minutes) => minutes * 60_000,
)

/** Tests of webhooks that one workspace may send in a minute: a test tells what an address answers. */
export const MAX_WEBHOOK_TESTS = 10

/** Active clients created by the operator: two for each of 10,000 workspaces. */
export const MAX_CLIENTS = 20_000

/** Recent attempts shown for each webhook in the list. */
export const LISTED_DELIVERIES = 10

/** Characters of a webhook URL. Those of chat and workflow services have about 300. */
export const MAX_WEBHOOK_ADDRESS_LENGTH = 2000

/** Lifetime of a registration, in seconds. Until then, the same number returns the same registration. */
export const REGISTRATION_SECONDS = 600

/** Nesting depth of a `refid`. The database reads JSON up to depth 1000, and stores a `refid` inside lists. */
export const MAX_JSON_DEPTH = 990

/** Share of the active records, in percent, that a reconcile or a restore may deactivate unless it is confirmed. */
export const DEFAULT_MAX_SHRINK = 50

/**
 * Records that one restore may change, because it is a single statement. D1 stops it after 30 seconds; 100,000 records
 * take about 6 on two busy cores.
 */
export const MAX_RESTORED_RECORDS = 150_000

/** Size of a workspace's history, in byte quotas, at which restores and large writes are rejected. */
export const HISTORY_LIMIT = { leastBytes: 1_000_000_000, quotas: 2 } as const

/**
 * What restores and large writes may add to the history within a few minutes, so that the scheduled run keeps up. One
 * change of all records that the default quota allows (500,000 of 300 bytes) fits.
 */
export const HISTORY_GROWTH = { minutes: 10, leastBytes: 150_000_000, quotas: 0.3 } as const

/** A write that changes more records than this waits as a restore does. */
export const LARGE_CHANGE_RECORDS = 1000

/** Days for which earlier versions of records are kept, unless `HISTORY_DAYS` is set: 13 months. */
export const DEFAULT_HISTORY_DAYS = 400

/** Days for which the `Idempotency-Key` of a document upload is remembered. */
export const DOCUMENT_KEY_DAYS = 30

/** Days after which documents are deleted, unless `DOCUMENT_DAYS` is set. 0 means never. */
export const DEFAULT_DOCUMENT_DAYS = 0

/**
 * Limits for the JSON of a write, counted before it is parsed (`findLists`). 10 MB of real records have at most 600,000
 * values and 150,000 lists and objects. The largest allowed body takes about 50 MB when it is parsed.
 */
export const RECORDS_JSON_LIMITS = {
  depth: MAX_JSON_DEPTH + 3,
  containers: MAX_JSON_RECORDS + 2,
  values: 1_000_000,
  /** The longest `refid` has this many values. `JSON.parse` creates this many properties of one object in 20 ms. */
  piece: { values: 250_000, members: 50_000 },
} as const

/** Rejected uploads: days for which they are listed, and how many per catalog. */
export const REFUSAL_DAYS = 90
export const KEPT_REFUSALS = 1000

/** Days for which a write with an idempotency key is kept, so that a client can retry after an outage. */
export const IDEMPOTENCY_DAYS = 30

/** Characters of an idempotency key. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** Kinds of errors kept for each rejected upload. */
export const SUMMARY_ERRORS = 10

/** Pending uploads per catalog: a week of nightly files and some previews. */
export const MAX_HELD_FILES = 10

/** Lifetime of a pending upload, in seconds: from a dry run; and from a blocked write, over a long weekend. */
export const HELD_DRY_RUN_SECONDS = 24 * 3600
export const HELD_REFUSAL_SECONDS = 7 * 24 * 3600
