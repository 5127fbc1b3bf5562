-- Versions of records, and what a restore needs to find them. What the guard looks at changes with it: its trigger is
-- made anew by the next migration. WITHOUT ROWID, which drizzle-kit cannot say: rows lie in the order of time.
DROP TRIGGER `batches_shrink_guard`;--> statement-breakpoint
CREATE TABLE `record_versions` (
	`catalog_id` integer NOT NULL,
	`ended_at` integer NOT NULL,
	`row_id` integer NOT NULL,
	`written_at` integer NOT NULL,
	`is_active` integer NOT NULL,
	`state_before` integer NOT NULL,
	`data` text NOT NULL,
	`search_text` text,
	PRIMARY KEY(`catalog_id`, `ended_at`, `row_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `record_versions_row` ON `record_versions` (`row_id`,`ended_at`);--> statement-breakpoint
ALTER TABLE `batches` ADD `restored_revision` integer;--> statement-breakpoint
ALTER TABLE `batches` ADD `max_shrink` integer;--> statement-breakpoint
ALTER TABLE `batches` ADD `first_number` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` ADD `active_lost` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX `batches_revision` ON `batches` (`catalog_id`,`revision`,`written_at`);--> statement-breakpoint
CREATE INDEX `batches_written` ON `batches` (`catalog_id`,`written_at`);--> statement-breakpoint
ALTER TABLE `catalogs` ADD `keeps_versions` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `catalogs` ADD `history_from` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `batches` DROP COLUMN `guarded`;--> statement-breakpoint
-- Of what was written before there were versions, only the present state is known.
UPDATE `catalogs` SET `history_from` = `revision`;
