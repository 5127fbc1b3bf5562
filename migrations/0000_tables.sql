-- The whole schema of a database: each table with its indexes and triggers. Every database has all tables,
-- docs/architecture.md says which of them are used in the control database alone.

-- Possible problems of records that somebody has accepted, until the record changes.
CREATE TABLE `accepted_problems` (
  `catalog_id` integer NOT NULL,
  `row_id` integer NOT NULL,
  `code` text NOT NULL,
  `written_at` integer NOT NULL,
  PRIMARY KEY(`catalog_id`, `row_id`, `code`)
) STRICT;

-- What a client may do in a workspace.
CREATE TABLE `api_keys` (
  `api_key_id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `client_id` text NOT NULL,
  `key_hash` text NOT NULL,
  `created_at` integer NOT NULL,
  `revoked_at` integer,
  `scopes` text DEFAULT '["catalog:read","catalog:write","search","documents","registration"]' NOT NULL,
  `name` text,
  `created_by` text,
  `last_used_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
  FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);

CREATE INDEX `api_keys_client` ON `api_keys` (`client_id`);

CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`,`created_at`);

-- One catalog of one workspace. Lives in the workspaces own database and therefore has no foreign key to
-- workspaces. The counters are kept by every write, so that a page needs no count.
CREATE TABLE `catalogs` (
  `catalog_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
  `workspace_id` text NOT NULL,
  `type` text NOT NULL,
  `revision` integer DEFAULT 0 NOT NULL,
  `active_records` integer DEFAULT 0 NOT NULL,
  `total_records` integer DEFAULT 0 NOT NULL,
  `written_at` integer DEFAULT 0 NOT NULL,
  `next_number` integer DEFAULT 0 NOT NULL,
  `search_enabled` integer DEFAULT false NOT NULL,
  `search_updated_at` integer,
  `keeps_misses` integer DEFAULT true NOT NULL,
  `keeps_versions` integer DEFAULT 1 NOT NULL,
  `history_from` integer DEFAULT 0 NOT NULL,
  `used_slots` integer DEFAULT 0 NOT NULL,
  `stored_bytes` integer DEFAULT 0 NOT NULL,
  `version_bytes` integer DEFAULT 0 NOT NULL,
  `last_success_at` integer,
  `epoch` text DEFAULT '0' NOT NULL,
  `words_purged_at` integer DEFAULT 0 NOT NULL,
  `writes_purged_until` integer DEFAULT 0 NOT NULL,
  CONSTRAINT "catalogs_type" CHECK(type in ('medication', 'lab_test', 'symptom', 'diagnosis')),
  CONSTRAINT "catalogs_search_enabled" CHECK(search_enabled in (0, 1)),
  CONSTRAINT "catalogs_keeps_misses" CHECK(keeps_misses in (0, 1)),
  CONSTRAINT "catalogs_keeps_versions" CHECK(keeps_versions in (0, 1))
) STRICT;

CREATE UNIQUE INDEX `catalogs_workspace_type` ON `catalogs` (`workspace_id`,`type`);

-- Programs that get access tokens with their secret. Their API keys say for which workspaces. One that an admin made names
-- the workspace, and is deleted with the last row of its API keys. The operators own name none.
CREATE TABLE `clients` (
  `client_id` text PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `secret_hash` text NOT NULL,
  `created_at` integer NOT NULL,
  `revoked_at` integer,
  `workspace_id` text,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE INDEX `clients_workspace` ON `clients` (`workspace_id`);

-- The list of the operator.
CREATE INDEX `clients_created` ON `clients` (`created_at`);

-- Documents whose bytes may be in the bucket without a row: deleted ones, and uploads whose outcome is not known. The
-- scheduled run deletes the bytes when they are due and there is no row, then the row here.
-- These rows stay when a workspace moves, because every database uses the same bucket.
CREATE TABLE `document_removals` (
  `workspace_id` text NOT NULL,
  `document_id` text NOT NULL,
  `due_at` integer NOT NULL,
  PRIMARY KEY(`workspace_id`, `document_id`)
) STRICT;

-- The documents that the keys of uploads name. A row stays when its document is deleted.
CREATE TABLE `document_keys` (
  `workspace_id` text NOT NULL,
  `created_by` text NOT NULL,
  `user_hash` text NOT NULL,
  `idempotency_key` text NOT NULL,
  `document_id` text NOT NULL,
  `created_at` integer NOT NULL,
  PRIMARY KEY(`workspace_id`, `created_by`, `user_hash`, `idempotency_key`)
) STRICT;

CREATE INDEX `document_keys_age` ON `document_keys` (`created_at`);

-- The metadata of a document, its bytes are in R2. In the workspaces own database, like its registrations.
CREATE TABLE `documents` (
  `workspace_id` text NOT NULL,
  `document_id` text NOT NULL,
  `size_bytes` integer NOT NULL,
  `content_type` text NOT NULL,
  `sha256` text NOT NULL,
  `tasks` text NOT NULL,
  `document_type` text,
  `file_name` text,
  `created_by` text NOT NULL,
  `created_at` integer NOT NULL,
  `user_hash` text,
  PRIMARY KEY(`workspace_id`, `document_id`)
) STRICT;

CREATE INDEX `documents_age` ON `documents` (`created_at`);

-- Shared keys of encrypted bodies.
CREATE TABLE `encryption_keys` (
  `kid` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `sealed_key` text NOT NULL,
  `created_at` integer NOT NULL,
  `revoked_at` integer,
  `created_by` text,
  `last_used_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE INDEX `encryption_keys_workspace` ON `encryption_keys` (`workspace_id`,`created_at`);

-- Finished logins, so that none is finished twice. Kept until their transaction expires.
CREATE TABLE `finished_logins` (
  `state_hash` text PRIMARY KEY NOT NULL,
  `expires_at` integer NOT NULL
) STRICT;

-- One-time codes by which command-line clients get the access token of a login.
CREATE TABLE `login_codes` (
  `code_hash` text PRIMARY KEY NOT NULL,
  `code_challenge` text NOT NULL,
  `user_id` text NOT NULL,
  `email` text NOT NULL,
  `created_at` integer NOT NULL,
  `expires_at` integer NOT NULL
) STRICT;

-- What belongs to this deployment as a whole. One row, made when it is first needed.
CREATE TABLE `deployment` (
  `number` integer PRIMARY KEY NOT NULL,
  `deployment_id` text DEFAULT (lower(hex(randomblob(16)))) NOT NULL,
  `sealed_lookup_key` text
) STRICT;

-- Who may log in to a workspace with a browser.
CREATE TABLE `members` (
  `member_id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `email` text NOT NULL,
  `role` text NOT NULL,
  `created_at` integer NOT NULL,
  `revoked_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
  CONSTRAINT "members_role" CHECK(role in ('viewer', 'editor', 'admin'))
) STRICT;

CREATE INDEX `members_email` ON `members` (`email`);

CREATE UNIQUE INDEX `members_workspace_email` ON `members` (`workspace_id`,`email`);

-- Opens partner tokens (x-auth-token).
CREATE TABLE `partner_credentials` (
  `kid` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `issuer` text NOT NULL,
  `sealed_secret` text NOT NULL,
  `allowed_origins` text NOT NULL,
  `created_at` integer NOT NULL,
  `revoked_at` integer,
  `created_by` text,
  `last_used_at` integer,
  FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
) STRICT;

CREATE INDEX `partner_credentials_workspace` ON `partner_credentials` (`workspace_id`,`created_at`);

-- The origins of partner credentials that are not revoked, to look one up: a preflight names no credential.
CREATE TABLE `partner_origins` (
  `origin` text NOT NULL,
  `kid` text NOT NULL,
  PRIMARY KEY(`origin`, `kid`)
) STRICT;

-- A state of a record that a write has ended. The trigger records_keep_version adds it in the transaction of that
-- write, so that no code path can forget it. The present state of a record is in records only.
--
-- Rows are stored in the order of time, catalog by catalog. A write appends rows, old rows are deleted from the
-- front, and the changes of one write are one range.
CREATE TABLE `record_versions` (
  `catalog_id` integer NOT NULL,
  `ended_at` integer NOT NULL,
  `row_id` integer NOT NULL,
  `written_at` integer NOT NULL,
  `is_active` integer NOT NULL,
  `was_active` integer,
  `data` text NOT NULL,
  `filled` integer DEFAULT 0 NOT NULL,
  `digest` text NOT NULL,
  `added_names` text DEFAULT '' NOT NULL,
  `search_text` text,
  `codes` text,
  PRIMARY KEY(`catalog_id`, `ended_at`, `row_id`),
  CONSTRAINT "record_versions_is_active" CHECK(is_active in (0, 1)),
  CONSTRAINT "record_versions_was_active" CHECK(was_active in (0, 1))
) STRICT, WITHOUT ROWID;

CREATE INDEX `record_versions_row` ON `record_versions` (`row_id`,`ended_at`);

-- The next version that has texts.
CREATE INDEX `record_versions_texts` ON `record_versions` (`row_id`,`ended_at`) WHERE search_text is not null;

-- The present state of each record. Inactive records stay.
CREATE TABLE `records` (
  "row_id" integer PRIMARY KEY NOT NULL,
  `catalog_id` integer NOT NULL,
  `record_id` text NOT NULL,
  `is_active` integer NOT NULL,
  `written_at` integer NOT NULL,
  `position` integer NOT NULL,
  `was_active` integer,
  `text_changed` integer NOT NULL,
  `name_length` integer NOT NULL,
  `search_text` text NOT NULL,
  `codes` text NOT NULL,
  `data` text NOT NULL,
  `filled` integer DEFAULT 0 NOT NULL,
  `digest` text NOT NULL,
  `size_before` integer DEFAULT 0 NOT NULL,
  `emptied` integer DEFAULT 0 NOT NULL,
  `added_names` text DEFAULT '' NOT NULL,
  CONSTRAINT "records_is_active" CHECK(is_active in (0, 1)),
  CONSTRAINT "records_text_changed" CHECK(text_changed in (0, 1)),
  CONSTRAINT "records_was_active" CHECK(was_active in (0, 1))
) STRICT;

CREATE UNIQUE INDEX `records_id` ON `records` (`catalog_id`,`record_id`);

CREATE INDEX `records_list` ON `records` (`catalog_id`,`is_active`,`written_at`,`position`);

-- Keeps the version of a record that a write ends. A trigger, so that no path can forget to.
CREATE TRIGGER records_keep_version AFTER UPDATE OF written_at ON records WHEN new.written_at <> old.written_at AND (SELECT keeps_versions FROM catalogs WHERE catalog_id = new.catalog_id) = 1 BEGIN INSERT INTO record_versions (catalog_id, ended_at, row_id, written_at, is_active, was_active, data, filled, digest, added_names, search_text, codes) VALUES (old.catalog_id, new.written_at, old.row_id, old.written_at, old.is_active, old.was_active, old.data, old.filled, old.digest, old.added_names, iif(old.search_text = new.search_text AND old.codes = new.codes, NULL, old.search_text), iif(old.search_text = new.search_text AND old.codes = new.codes, NULL, old.codes)); END;

-- What the scheduled run remembers, as JSON, see storage/scheduled-runs.ts.
CREATE TABLE `scheduled_state` (
  `name` text PRIMARY KEY NOT NULL,
  `value` text NOT NULL
) STRICT;

-- The words, facts and codes of records, each with its catalog and its place, see search/index/word-index.ts. Contentless, because the text stands in records, and without positions, because no query asks for them. Every character but white space belongs to a token.
CREATE VIRTUAL TABLE records_search USING fts5(tokens, content='', contentless_delete=1, detail='none', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");

-- Reads the different tokens of that table in their order.
CREATE VIRTUAL TABLE records_terms USING fts5vocab('records_search', 'row');

-- Pending registrations. Deleted soon after they expire.
CREATE TABLE `registrations` (
  `registration_id` text PRIMARY KEY NOT NULL,
  `workspace_id` text NOT NULL,
  `number_hash` text NOT NULL,
  `sealed_number` text NOT NULL,
  `sealed_name` text,
  `created_at` integer NOT NULL,
  `expires_at` integer NOT NULL
) STRICT;

CREATE INDEX `registrations_expiry` ON `registrations` (`expires_at`);

CREATE UNIQUE INDEX `registrations_number` ON `registrations` (`workspace_id`,`number_hash`);

-- Searches without a match that people gave up, as normalized texts. Nothing here says who searched.
CREATE TABLE `search_misses` (
  `catalog_id` integer NOT NULL,
  `text` text NOT NULL,
  `reports` integer DEFAULT 1 NOT NULL,
  `first_at` integer NOT NULL,
  `last_at` integer NOT NULL,
  `hidden_until` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`catalog_id`, `text`)
) STRICT;

CREATE INDEX `search_misses_age` ON `search_misses` (`last_at`);

-- The different words of the names and aliases of each catalog, see search/index/word-index.ts. A row is a JSON list of
-- those that begin with the same two letters. Stored without row ids.
-- Two more tables of the word index are virtual, so only migrations can define them: records_search, and records_terms,
-- which reads its tokens.
CREATE TABLE `search_words` (
  `catalog_id` integer NOT NULL,
  `beginning` text NOT NULL,
  `words` text NOT NULL,
  PRIMARY KEY(`catalog_id`, `beginning`)
) STRICT, WITHOUT ROWID;

-- Browsers that are logged in.
CREATE TABLE `sessions` (
  `session_hash` text PRIMARY KEY NOT NULL,
  `user_id` text NOT NULL,
  `email` text NOT NULL,
  `created_at` integer NOT NULL,
  `expires_at` integer NOT NULL
) STRICT;

CREATE INDEX `sessions_expiry` ON `sessions` (`expires_at`);

CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`created_at`);

-- Uploads and restores: one row for each write that was carried out, for each that was refused, and for each file that
-- waits to be written. A write opens its row first and closes it last, in the transaction that changes the records. The
-- bytes of a file that waits are in R2, under its id (see catalog/uploads/held-files.ts).
CREATE TABLE `uploads` (
  `upload_id` text PRIMARY KEY NOT NULL,
  `catalog_id` integer NOT NULL,
  `received_at` integer NOT NULL,
  `created_at` integer NOT NULL,
  `created_by` text NOT NULL,
  `by_program` integer NOT NULL,
  `request_id` text NOT NULL,
  `mode` text NOT NULL,
  `format` text,
  `file_name` text,
  `size_bytes` integer,
  `outcome` text NOT NULL,
  `message` text,
  `error_count` integer DEFAULT 0 NOT NULL,
  `errors` text DEFAULT '[]' NOT NULL,
  `revision` integer NOT NULL,
  `repeated` integer DEFAULT 0 NOT NULL,
  `last_at` integer,
  `request_digest` text,
  `idempotency_key` text,
  `file_digest` text,
  `held_for` text,
  `held_until` integer,
  `held_since` integer,
  `parameters` text,
  `content_type` text,
  `sha256` text,
  `approved_by` text,
  `approval_id` text,
  `written_at` integer,
  `warnings` integer,
  `warning_list` text,
  `revision_before` integer,
  `active_before` integer,
  `active_after` integer,
  `restored_revision` integer,
  `first_number` integer,
  `total` integer,
  `inserted` integer,
  `updated` integer,
  `unchanged` integer,
  `reactivated` integer,
  `deactivated` integer,
  `emptied` text,
  `grown_bytes` integer,
  `ended_bytes` integer,
  CONSTRAINT "uploads_by_program" CHECK(by_program in (0, 1)),
  CONSTRAINT "uploads_mode" CHECK(mode in ('upsert', 'reconcile', 'restore')),
  CONSTRAINT "uploads_format" CHECK(format in ('csv', 'json', 'restore', 'added_name')),
  CONSTRAINT "uploads_outcome" CHECK(outcome in ('written', 'unchanged', 'invalid', 'shrink_guard', 'emptied_guard', 'stale', 'quota', 'failed', 'not_sent', 'held', 'approved', 'discarded', 'expired')),
  CONSTRAINT "uploads_held_for" CHECK(held_for in ('dry_run', 'shrink_guard', 'emptied_guard')),
  CONSTRAINT "uploads_held" CHECK((held_for is null) = (held_until is null)),
  CONSTRAINT "uploads_approved" CHECK((approved_by is null) = (approval_id is null)),
  CONSTRAINT "uploads_written" CHECK((written_at is not null) = (outcome in ('written', 'unchanged', 'approved')))
) STRICT;

-- The list of uploads.
CREATE INDEX `uploads_received` ON `uploads` (`catalog_id`,`received_at`,`format`,`outcome`);

-- The lists of writes and of batches, and from the time of a change to the write that made it.
CREATE INDEX `uploads_written` ON `uploads` (`catalog_id`,`written_at`,`format`) WHERE written_at is not null;

-- From a revision to the write that made it.
CREATE INDEX `uploads_revision` ON `uploads` (`catalog_id`,`revision`) WHERE revision > revision_before;

-- Of two requests with one key, one writes.
CREATE UNIQUE INDEX `uploads_key` ON `uploads` (`catalog_id`,`idempotency_key`) WHERE idempotency_key is not null;

-- What programs sent, apart from previews: the status of a catalog.
CREATE INDEX `uploads_programs` ON `uploads` (`catalog_id`,`received_at`) WHERE by_program = 1 and format is not 'restore' and format is not 'added_name' and (held_for is not 'dry_run' or written_at is not null);

CREATE INDEX `uploads_refused` ON `uploads` (`catalog_id`,`received_at`) WHERE written_at is null;

CREATE INDEX `uploads_held` ON `uploads` (`catalog_id`,`received_at`) WHERE outcome = 'held';

-- How often a program should bring each catalog up to date, and what the scheduled run has told about that.
CREATE TABLE `watches` (
  `workspace_id` text NOT NULL,
  `type` text NOT NULL,
  `every_hours` integer NOT NULL,
  `grace_hours` integer NOT NULL,
  `set_by` text NOT NULL,
  `set_at` integer NOT NULL,
  `notified_state` text NOT NULL,
  `notified_since` integer NOT NULL,
  `notified_upload_at` integer NOT NULL,
  PRIMARY KEY(`workspace_id`, `type`),
  CONSTRAINT "watches_type" CHECK(type in ('medication', 'lab_test', 'symptom', 'diagnosis'))
) STRICT;

-- Messages that are not delivered yet, one row per webhook. An attempt begins by setting the time of the next one. So
-- no two attempts send a message at the same time, and an attempt that ends too early loses none.
CREATE TABLE `webhook_messages` (
  `workspace_id` text NOT NULL,
  `webhook_id` text NOT NULL,
  `topic` text NOT NULL,
  `message_id` text NOT NULL,
  `event` text NOT NULL,
  `data` text NOT NULL,
  `created_at` integer NOT NULL,
  `attempts` integer DEFAULT 0 NOT NULL,
  `first_attempt_at` integer,
  `next_attempt_at` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`workspace_id`, `webhook_id`, `topic`)
) STRICT;

CREATE INDEX `webhook_messages_due` ON `webhook_messages` (`next_attempt_at`);

-- Addresses that are told of events in a workspace: a handful.
CREATE TABLE `webhooks` (
  `workspace_id` text NOT NULL,
  `webhook_id` text NOT NULL,
  `url` text NOT NULL,
  `events` text NOT NULL,
  `sealed_secret` text NOT NULL,
  `sealed_previous` text DEFAULT '' NOT NULL,
  `previous_until` integer DEFAULT 0 NOT NULL,
  `created_by` text NOT NULL,
  `created_at` integer NOT NULL,
  `last_status` integer,
  `last_attempt_at` integer,
  `failing_since` integer,
  `disabled_at` integer,
  `deliveries` text DEFAULT '[]' NOT NULL,
  `testing_until` integer DEFAULT 0 NOT NULL,
  PRIMARY KEY(`workspace_id`, `webhook_id`)
) STRICT;

-- The quotas of a workspace, made with it, see storage/quotas.ts. Documents are counted here, records and their bytes in
-- catalogs.
CREATE TABLE `workspace_quotas` (
  `workspace_id` text PRIMARY KEY NOT NULL,
  `documents` integer DEFAULT 100000 NOT NULL,
  `documents_used` integer DEFAULT 0 NOT NULL,
  `document_bytes` integer DEFAULT 10000000000 NOT NULL,
  `document_bytes_used` integer DEFAULT 0 NOT NULL,
  `registrations` integer DEFAULT 10000 NOT NULL,
  `records` integer DEFAULT 500000 NOT NULL,
  `bytes` integer DEFAULT 500000000 NOT NULL
) STRICT;

-- One organisation, such as a hospital. Everything that belongs to it names it. Nothing of an erased one is left but
-- its row.
CREATE TABLE `workspaces` (
  `workspace_id` text PRIMARY KEY NOT NULL,
  `name` text NOT NULL,
  `database_binding` text DEFAULT 'DB' NOT NULL,
  `created_at` integer NOT NULL,
  `creation_id` text,
  `state` text DEFAULT 'active' NOT NULL,
  `state_reason` text,
  `state_changed_at` integer DEFAULT 0 NOT NULL,
  `erased_at` integer,
  `erasure_checked_at` integer,
  `move_target` text,
  `move_id` text,
  `state_after_move` text,
  `old_database` text,
  `moved_at` integer,
  `webhook_tests` text DEFAULT '[]' NOT NULL,
  CONSTRAINT "workspaces_state" CHECK(state in ('active', 'read_only', 'suspended', 'erasing', 'erased'))
) STRICT;

-- The list of the operator.
CREATE INDEX `workspaces_created` ON `workspaces` (`created_at`);
