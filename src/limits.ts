/** Every limit of the service, with its unit and its reason. Section numbers are of the specification. */

const MEBIBYTE = 1024 * 1024

/** Request body, in bytes, counted as it arrives and again after decompression (Limits). */
export const MAX_BODY_BYTES = 10 * MEBIBYTE

/**
 * How much of an oversized body is read and thrown away before the 413 is sent. A client that is cut off in the
 * middle of a chunked upload sees a broken connection instead of the answer.
 */
export const MAX_DISCARDED_BYTES = 4 * MAX_BODY_BYTES

/** Bodies up to this size are read without waiting for a place in the memory budget. */
export const SMALL_BODY_BYTES = 256 * 1024

/**
 * Bytes of request bodies that one isolate buffers at the same time; a further large body waits, unread, for its
 * turn. An isolate has 128 MB for all the requests that it serves.
 */
export const BUFFERED_BODIES_BYTES = 2 * MAX_BODY_BYTES + 4 * MEBIBYTE

/** Request duration in milliseconds (Limits). Workers have no wall-clock limit of their own. */
export const REQUEST_DEADLINE_MS = 29_000

/** Rows with data in one CSV file (File format rules, 8). */
export const MAX_CSV_ROWS = 50_000

/** Cells in one row of a CSV file: what a spreadsheet program can write (columns A to XFD). */
export const MAX_CSV_COLUMNS = 16_384

/** Elements in a JSON list: more cannot be valid records within `MAX_BODY_BYTES`. */
export const MAX_JSON_RECORDS = 400_000

/** Page size of lists: 1 to 1000 (Limits). */
export const MAX_PAGE_SIZE = 1000
export const DEFAULT_PAGE_SIZE = 100

/** Matches of a partner search: 1 to 50 (decisions, section 7). */
export const MAX_SEARCH_RESULTS = 50
export const DEFAULT_SEARCH_RESULTS = 20

/** Code points in the `q` of a list. */
export const MAX_QUERY_LENGTH = 200

/**
 * Characters of one chunk of records handed to the database as a single bound value. D1 takes 2,000,000 bytes for a
 * value, and no character takes more than three: in UTF-8, or as an escape in JSON within JSON.
 */
export const MAX_CHUNK_CHARACTERS = 600_000

/** Characters that one record may take in the database, its lists included: it has to fit into a chunk. */
export const MAX_RECORD_CHARACTERS = 500_000

/** Seconds for which an isolate may rely on what it last read about a credential; a revocation is seen within 60. */
export const CREDENTIAL_CACHE_SECONDS = 30

/** Lifetime of an access token from client credentials, in seconds (Authentication, 3). */
export const ACCESS_TOKEN_SECONDS = 3600

/** Rows of an export or a diff read from the database at a time, so that the file is streamed and never held. */
export const EXPORT_PAGE_ROWS = 1000

/** Records in each list of a diff in JSON; as CSV it is complete. */
export const DIFF_LIST_RECORDS = 50

/** Grants of access tokens that one isolate remembers; at some 300 bytes each they take about 3 MB. */
export const REMEMBERED_GRANTS = 10_000

/** Characters of a partner token: several times what its claims take, and little to decrypt. */
export const MAX_PARTNER_TOKEN_LENGTH = 8 * 1024

/** Tolerance for the clocks of partners, in seconds. */
export const PARTNER_CLOCK_TOLERANCE_SECONDS = 60

/** Longest lifetime of a partner token, `exp` minus `iat`, in seconds. */
export const MAX_PARTNER_TOKEN_SECONDS = 900

/** Code points of the `jti` of a partner token. */
export const MAX_JTI_LENGTH = 255

/** Lifetime of an access token from the exchange of a partner token, in seconds. */
export const PARTNER_SESSION_SECONDS = 900

/** Seconds for which an expired `jti` stays where it is, and within which all that expire are forgotten together. */
export const REPLAY_SWEEP_SECONDS = 60

/** Memberships that one isolate remembers; at some 300 bytes each they take about 1 MB. */
export const REMEMBERED_MEMBERS = 2000

/** Characters of an email address (RFC 5321, section 4.5.3.1.3, without the angle brackets). */
export const MAX_EMAIL_LENGTH = 254

/** Time from the beginning of a browser login to its end at the provider, in seconds. */
export const LOGIN_TRANSACTION_SECONDS = 600

/** Characters of `return_to`: sealed with the rest of a transaction, it has to fit into a cookie of 4096 bytes. */
export const MAX_RETURN_TO_LENGTH = 1024

/** Lifetime of a browser session, in seconds: a working day. */
export const SESSION_SECONDS = 8 * 3600

/** Lifetime of the one-time code for a command-line client, in seconds. */
export const LOGIN_CODE_SECONDS = 60

/** Seconds for which an isolate relies on the login provider's metadata. */
export const PROVIDER_METADATA_SECONDS = 3600

/** Milliseconds for which one answer of the login provider is waited for. */
export const PROVIDER_TIMEOUT_MS = 8000

/** Partner credentials that one isolate remembers, and as many key ids that are not one. */
export const REMEMBERED_PARTNER_CREDENTIALS = 2000

/** Web origins of one partner credential. */
export const MAX_ALLOWED_ORIGINS = 20

/** Characters of an issuer or an origin. */
export const MAX_ADDRESS_LENGTH = 255

/** Shared keys of encrypted bodies that one isolate remembers; at some 200 bytes each they take less than 1 MB. */
export const REMEMBERED_ENCRYPTION_KEYS = 2000

/** Lifetime of a registration, in seconds; the same number answers the same registration until then. */
export const REGISTRATION_SECONDS = 600

/** Levels to which a value may be nested: far below what the engine can write and read again without end of its stack. */
export const MAX_JSON_DEPTH = 1000

/** Share of the active records, in whole percent, that a reconcile or a restore may deactivate unless it is confirmed. */
export const DEFAULT_MAX_SHRINK = 50

/** Days for which earlier versions of records are kept, unless `HISTORY_DAYS` says otherwise: a year and a month. */
export const DEFAULT_HISTORY_DAYS = 400

/** Bytes of stored records in one page of an answer, beyond which the page ends early. */
export const PAGE_BYTES = 4 * 1000 * 1000
