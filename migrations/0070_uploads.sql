CREATE TABLE `uploads` (
	`upload_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`noted_at` integer NOT NULL,
	`created_at` integer NOT NULL,
	`created_by` text NOT NULL,
	`by_program` integer NOT NULL,
	`mode` text NOT NULL,
	`format` text,
	`file_name` text,
	`size_bytes` integer,
	`outcome` text NOT NULL,
	`message` text NOT NULL,
	`error_count` integer NOT NULL,
	`errors` text NOT NULL,
	`revision` integer NOT NULL,
	`request_id` text NOT NULL,
	`repeated` integer DEFAULT 0 NOT NULL,
	`last_at` integer NOT NULL,
	`ended_at` integer,
	`expires_at` integer NOT NULL,
	`held_for` text,
	`held_until` integer,
	`confirm_shrink` integer,
	`max_shrink` integer,
	`content_type` text,
	`content_encoding` text,
	`encrypted` integer,
	`stored_bytes` integer,
	`sha256` text
);
--> statement-breakpoint
CREATE INDEX `uploads_latest` ON `uploads` (`workspace_id`,`type`,`noted_at`);--> statement-breakpoint
CREATE INDEX `uploads_expiry` ON `uploads` (`expires_at`);--> statement-breakpoint
CREATE INDEX `uploads_held` ON `uploads` (`workspace_id`,`type`,`held_until`) WHERE outcome = 'held';
--> statement-breakpoint
-- The bytes of files that wait count as bytes of records do. Those of the file that this write takes no longer wait after it. The new trigger is made before the old one is dropped, so that no write slips through.
CREATE TRIGGER batches_bytes_quota BEFORE UPDATE OF grown_bytes ON batches WHEN new.grown_bytes > 0 AND (SELECT sum(stored_bytes) FROM catalogs WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id)) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id) AND outcome = 'held' AND upload_id <> new.batch_id) + new.grown_bytes > (SELECT quota_bytes FROM catalogs WHERE catalog_id = new.catalog_id) BEGIN SELECT RAISE(ABORT, 'quota:bytes:' || (SELECT quota_bytes FROM catalogs WHERE catalog_id = new.catalog_id) || ':' || ((SELECT sum(stored_bytes) FROM catalogs WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id)) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id) AND outcome = 'held' AND upload_id <> new.batch_id)) || ':' || ((SELECT sum(stored_bytes) FROM catalogs WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id)) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id) AND outcome = 'held' AND upload_id <> new.batch_id) + new.grown_bytes)); END;
--> statement-breakpoint
DROP TRIGGER batches_quota_bytes;
--> statement-breakpoint
-- A file that waits must fit into the quota of bytes. Copying a workspace into this database is not stopped. After the insert, because the same file again is an update.
CREATE TRIGGER uploads_quota AFTER INSERT ON uploads WHEN new.outcome = 'held' AND ((SELECT coalesce(sum(stored_bytes), 0) FROM catalogs WHERE workspace_id = new.workspace_id) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = new.workspace_id AND outcome = 'held')) > coalesce((SELECT max(quota_bytes) FROM catalogs WHERE workspace_id = new.workspace_id), 500000000) AND NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1) BEGIN SELECT RAISE(ABORT, 'quota:bytes:' || coalesce((SELECT max(quota_bytes) FROM catalogs WHERE workspace_id = new.workspace_id), 500000000) || ':' || (((SELECT coalesce(sum(stored_bytes), 0) FROM catalogs WHERE workspace_id = new.workspace_id) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = new.workspace_id AND outcome = 'held')) - new.stored_bytes) || ':' || ((SELECT coalesce(sum(stored_bytes), 0) FROM catalogs WHERE workspace_id = new.workspace_id) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = new.workspace_id AND outcome = 'held'))); END;
--> statement-breakpoint
CREATE TRIGGER uploads_refused BEFORE INSERT ON uploads WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER uploads_update_refused BEFORE UPDATE ON uploads WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
