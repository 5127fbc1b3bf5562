/** Limits that callers and operators meet, and those that several folders share, each with its unit and its reason. */

const MEBIBYTE = 1024 * 1024

/** Request body, in bytes, counted as it arrives and again after decompression. */
export const MAX_BODY_BYTES = 10 * MEBIBYTE

/** Bytes of an oversized body that are dropped before the 413. A client that is cut off earlier sees no answer. */
export const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES

/** Body of an endpoint that takes one small JSON object, in bytes. The largest of them takes less than 1 KB. */
export const MAX_SMALL_BODY_BYTES = 16 * 1024

/** Bodies up to this size, in bytes, are read and processed without waiting for memory or for a turn. */
export const LARGE_BODY_BYTES = 64 * 1024

/** Milliseconds without a byte after which the service stops waiting for a body. */
export const BODY_IDLE_MS = 10_000

/** Request duration in milliseconds. Workers have no wall-clock limit of their own. */
export const REQUEST_DEADLINE_MS = 29_000

/** Milliseconds that a streamed answer may take: a catalog of 500,000 records over a line of 3 Mbit/s. */
export const LONGEST_STREAM_MS = 10 * 60_000

/**
 * What one workspace may hold, unless the operator sets another quota. The largest formularies have some 100,000
 * records of 500 bytes; a database takes 10 GB. The rows of 100,000 documents take up to 100 MB of it.
 */
export const DEFAULT_QUOTA = {
  /** Records in all catalogs together. */
  records: 500_000,
  /** Bytes of these records. */
  bytes: 500_000_000,
  documents: 100_000,
  document_bytes: 10_000_000_000,
  /** Registrations that have not ended, or ended a short time ago. */
  registrations: 10_000,
} as const

/** Rows with data in one CSV file. */
export const MAX_CSV_ROWS = 50_000

/** Rows in one CSV file, blank ones too: 10 MB of them take 10 KB compressed. Spreadsheets hardly have so many. */
export const MAX_CSV_LINES = 200_000

/** Cells in one row of a CSV file: as many as a spreadsheet program can write (columns A to XFD). */
export const MAX_CSV_COLUMNS = 16_384

/** Elements in a JSON list: more cannot be valid records within `MAX_BODY_BYTES`. */
export const MAX_JSON_RECORDS = 400_000

/** Items of one list of a record, such as its aliases: several times what real catalogs have. */
export const MAX_LIST_ITEMS = 1000

/** Warnings of unknown fields and columns that one write lists; one more counts the rest. */
export const MAX_WARNINGS = 100

/** Examples that a warning lists, and the most that a caller can ask for. */
export const DEFAULT_EXAMPLES = 10
export const MAX_EXAMPLES = 1000

/** Characters of one CSV cell, quotes included. The longest valid value takes less. */
export const MAX_CELL_CHARACTERS = 1_000_000

/** Characters of the folded names and aliases of one record. Folding can make eighteen of one character. */
export const MAX_SEARCH_TEXT_CHARACTERS = 100_000

/** Characters of the folded texts of all records of a write. Only folding can exceed the size of a body. */
export const MAX_REQUEST_SEARCH_CHARACTERS = MAX_BODY_BYTES

/** Page size of lists: 1 to 1000. */
export const MAX_PAGE_SIZE = 1000
export const DEFAULT_PAGE_SIZE = 100

/** Matches of a partner search: 1 to 50. */
export const MAX_SEARCH_RESULTS = 50
export const DEFAULT_SEARCH_RESULTS = 20
/** Matches that a partner search can skip, for its next pages. */
export const MAX_SEARCH_OFFSET = 450
/** Matches that can be read at all. To reach others, type more. */
export const MAX_SEARCH_MATCHES = MAX_SEARCH_OFFSET + MAX_SEARCH_RESULTS

/** A search without a match is kept if it has so many words, characters and digits in a row at most. */
export const MAX_MISS_WORDS = 6
export const MIN_MISS_CHARACTERS = 3
export const MAX_MISS_CHARACTERS = 64
export const MAX_MISS_DIGITS = 4
/** Searches without a match that are kept of one catalog, and days after the last report of one. */
export const KEPT_MISSES = 500
export const MISS_DAYS = 90
/** Of the list of these: 1 to 100. */
export const MAX_LISTED_MISSES = 100
export const DEFAULT_LISTED_MISSES = 20

/** Names that people may add beside one record, and their characters. */
export const MAX_ADDED_NAMES = 20
export const MAX_ADDED_NAME_CHARACTERS = MAX_MISS_CHARACTERS

/** Code points in the `q` of a list. */
export const MAX_QUERY_LENGTH = 200

/**
 * Bytes of memory of a write's records on their way to the database, in chunks and in the JSON that the binding makes
 * of them. An isolate with 100 MB of heap survives 84 MB, and not 86.
 */
export const MAX_SENT_BYTES = 80_000_000

/** Characters that one record may take in the database, its lists included. It must fit into a chunk. */
export const MAX_RECORD_CHARACTERS = 500_000

/** Seconds for which an isolate uses what it last read about a credential: revocations act within 60 seconds. */
export const CREDENTIAL_CACHE_SECONDS = 30

/**
 * Seconds after which no request can still act on an earlier state of a workspace: an isolate remembers it for 30, a
 * request ends within 29, and what continues after its answer within 30. Moves and erasures wait for it.
 */
export const STATE_SETTLES_SECONDS = 90

/** Lifetime of an access token from client credentials, in seconds. */
export const ACCESS_TOKEN_SECONDS = 3600

/** Bytes at which a page of a list, an export or a diff ends early. The answer takes several times as much. */
export const MAX_PAGE_BYTES = 4_000_000

/** Characters of a file name that are kept. */
export const MAX_FILE_NAME_LENGTH = 255

/** Rows of an export that are read at a time: a million records take 500 of the 1,000 queries of an invocation. */
export const EXPORT_PAGE_ROWS = 2000

/** Rows of a diff as CSV that are read at a time: the largest request takes some 900 of 1,000 statements. */
export const DIFF_PAGE_ROWS = 5000

/** Records in each list of a diff in JSON; as CSV it is complete. */
export const DIFF_LIST_RECORDS = 50

/** A list of writes says what a write changed if it changed at most so many records. */
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

/** Sessions of one person at the same time: browsers on which somebody is logged in. The oldest makes room. */
export const MAX_SESSIONS = 20

/** Lifetime of the one-time code for a command-line client, in seconds. */
export const LOGIN_CODE_SECONDS = 60

/** Tasks of one document: several times what a document needs, and a row of less than 2 KB. */
export const MAX_DOCUMENT_TASKS = 20

/** Web origins of one partner credential. */
export const MAX_ALLOWED_ORIGINS = 20

/** Characters of an issuer or an origin. */
export const MAX_ADDRESS_LENGTH = 255

/** Hours between two uploads of a watched catalog: a month. */
export const MAX_WATCH_HOURS = 744

/** Hours by which an upload may come later before its catalog is late: a week. */
export const MAX_GRACE_HOURS = 168
export const DEFAULT_GRACE_HOURS = 1

/** What one workspace may have of each kind: several times what a large one uses. As many revoked ones are kept. */
export const WORKSPACE_LIMITS = {
  api_keys: 200,
  partner_credentials: 50,
  encryption_keys: 20,
  members: 1000,
  webhooks: 5,
} as const

/** When each attempt to deliver a message to a webhook may begin, in milliseconds after the first one. */
export const WEBHOOK_ATTEMPTS_AFTER_MS = [0, 10, 30, 2 * 60, 5 * 60, 10 * 60, 24 * 60].map(
  (minutes) => minutes * 60_000,
)

/** Tests of webhooks that one workspace may send in a minute: a test tells what an address answers. */
export const MAX_WEBHOOK_TESTS = 10

/** Clients that the operator has made and not revoked: two for each of 10,000 workspaces. */
export const MAX_CLIENTS = 20_000

/** How many of the last attempts of each webhook the list of webhooks shows. */
export const LISTED_DELIVERIES = 10

/** Characters of the address of a webhook: those of chat and workflow services have some 300. */
export const MAX_WEBHOOK_ADDRESS_LENGTH = 2000

/** Lifetime of a registration, in seconds; the same number answers the same registration until then. */
export const REGISTRATION_SECONDS = 600

/** Levels to which a `refid` may be nested. The database reads JSON of 1000, and a `refid` stands in lists there. */
export const MAX_JSON_DEPTH = 990

/** Share of the active records, in percent, that a reconcile or a restore may deactivate unless it is confirmed. */
export const DEFAULT_MAX_SHRINK = 50

/**
 * Records that one restore, one step, may change. D1 ends it after 30 seconds; 100,000 take some 6 on two busy cores.
 */
export const MAX_RESTORED_RECORDS = 150_000

/** What the history of a workspace may take before restores and large writes are refused: so many quotas of bytes. */
export const HISTORY_LIMIT = { leastBytes: 1_000_000_000, quotas: 2 } as const

/**
 * What restores and writes of some minutes may add to them, so that the scheduled run purges as fast. The change of all
 * records that the default quota allows (500,000 of 300 bytes) is within it.
 */
export const HISTORY_GROWTH = { minutes: 10, leastBytes: 150_000_000, quotas: 0.3 } as const

/** A write that changes more records than this waits as a restore does. */
export const LARGE_CHANGE_RECORDS = 1000

/** Days for which earlier versions of records are kept, unless `HISTORY_DAYS` is set: a year and a month. */
export const DEFAULT_HISTORY_DAYS = 400

/** Days for which the `Idempotency-Key` of an upload of a document names it. */
export const DOCUMENT_KEY_DAYS = 30

/** Days after which documents are deleted, unless `DOCUMENT_DAYS` is set: 0, never. */
export const DEFAULT_DOCUMENT_DAYS = 0

/**
 * Limits for the JSON of a write, counted before it is parsed (`findLists`). 10 MB of real records have at most 600,000
 * values and 150,000 lists and objects. The largest allowed body takes about 50 MB when it is parsed.
 */
export const RECORDS_JSON_LIMITS = {
  depth: MAX_JSON_DEPTH + 3,
  containers: MAX_JSON_RECORDS + 2,
  values: 1_000_000,
  /** The longest `refid` has so many values. `JSON.parse` makes so many members of one object in 20 ms. */
  piece: { values: 250_000, members: 50_000 },
} as const

/** Days for which uploads that were refused are listed, and how many of a catalog. */
export const REFUSAL_DAYS = 90
export const KEPT_REFUSALS = 1000

/** Days for which a write with an idempotency key is listed at least: a client that was switched off asks again. */
export const IDEMPOTENCY_DAYS = 30

/** Characters of an idempotency key. */
export const MAX_IDEMPOTENCY_KEY_LENGTH = 255

/** Kinds of errors that are kept of a refused upload. */
export const SUMMARY_ERRORS = 10

/** Files of a catalog that can wait at a time: a night's file for a week, and some previews. */
export const MAX_HELD_FILES = 10

/** Seconds for which the file of a dry run waits, and the file that the shrink guard stopped: over a long weekend. */
export const HELD_DRY_RUN_SECONDS = 24 * 3600
export const HELD_REFUSAL_SECONDS = 7 * 24 * 3600
