CREATE TABLE `api_keys` (
	`api_key_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`client_id` text NOT NULL,
	`key_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action,
	FOREIGN KEY (`client_id`) REFERENCES `clients`(`client_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE UNIQUE INDEX `api_keys_hash` ON `api_keys` (`key_hash`);--> statement-breakpoint
CREATE INDEX `api_keys_workspace` ON `api_keys` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `batches` (
	`batch_id` text PRIMARY KEY NOT NULL,
	`catalog_id` integer NOT NULL,
	`format` text NOT NULL,
	`mode` text NOT NULL,
	`file_name` text,
	`size_bytes` integer NOT NULL,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	`warnings` integer NOT NULL,
	`written_at` integer NOT NULL,
	`revision_before` integer NOT NULL,
	`expected_revision` integer,
	`active_before` integer NOT NULL,
	`guarded` integer NOT NULL,
	`total` integer NOT NULL,
	`inserted` integer DEFAULT 0 NOT NULL,
	`updated` integer DEFAULT 0 NOT NULL,
	`unchanged` integer DEFAULT 0 NOT NULL,
	`reactivated` integer DEFAULT 0 NOT NULL,
	`deactivated` integer DEFAULT 0 NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`active_after` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `batches_latest` ON `batches` (`catalog_id`,`format`,`written_at`);--> statement-breakpoint
CREATE TABLE `catalogs` (
	`catalog_id` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`revision` integer DEFAULT 0 NOT NULL,
	`active_records` integer DEFAULT 0 NOT NULL,
	`total_records` integer DEFAULT 0 NOT NULL,
	`changed_at` integer DEFAULT 0 NOT NULL,
	`next_number` integer DEFAULT 0 NOT NULL,
	`search_enabled` integer DEFAULT false NOT NULL,
	`search_updated_at` integer
);
--> statement-breakpoint
CREATE UNIQUE INDEX `catalogs_workspace_type` ON `catalogs` (`workspace_id`,`type`);--> statement-breakpoint
CREATE TABLE `clients` (
	`client_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`secret_hash` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer
);
--> statement-breakpoint
CREATE TABLE `records` (
	`seq` integer PRIMARY KEY NOT NULL,
	`catalog_id` integer NOT NULL,
	`record_id` text NOT NULL,
	`is_active` integer NOT NULL,
	`updated_at` integer NOT NULL,
	`place` integer NOT NULL,
	`prior` integer NOT NULL,
	`text_changed` integer NOT NULL,
	`name_length` integer NOT NULL,
	`search_text` text NOT NULL,
	`data` text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `records_id` ON `records` (`catalog_id`,`record_id`);--> statement-breakpoint
CREATE INDEX `records_list` ON `records` (`catalog_id`,`is_active`,`updated_at`,`place`);--> statement-breakpoint
CREATE INDEX `records_scan` ON `records` (`catalog_id`,`is_active`,`name_length`,`search_text`);--> statement-breakpoint
CREATE TABLE `workspaces` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`name` text NOT NULL,
	`database_binding` text DEFAULT 'DB' NOT NULL,
	`created_at` integer NOT NULL
);
