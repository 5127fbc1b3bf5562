ALTER TABLE `workspace_quotas` ADD `records` integer DEFAULT 500000 NOT NULL;--> statement-breakpoint
ALTER TABLE `workspace_quotas` ADD `bytes` integer DEFAULT 500000000 NOT NULL;
--> statement-breakpoint
-- Quotas that the operator has set move from the catalogs to the row of their workspace.
INSERT INTO workspace_quotas (workspace_id) SELECT DISTINCT workspace_id FROM catalogs WHERE (quota_records <> 500000 OR quota_bytes <> 500000000) AND workspace_id NOT IN (SELECT workspace_id FROM workspace_quotas);
--> statement-breakpoint
UPDATE workspace_quotas SET (records, bytes) = (SELECT max(quota_records), max(quota_bytes) FROM catalogs WHERE workspace_id = workspace_quotas.workspace_id) WHERE workspace_id IN (SELECT workspace_id FROM catalogs WHERE quota_records <> 500000 OR quota_bytes <> 500000000);
--> statement-breakpoint
-- The Worker of the release before sets the quotas of catalogs, and reads them there.
CREATE TRIGGER catalogs_quotas_followed AFTER UPDATE OF quota_records, quota_bytes ON catalogs WHEN new.quota_records <> old.quota_records OR new.quota_bytes <> old.quota_bytes BEGIN INSERT INTO workspace_quotas (workspace_id) SELECT new.workspace_id WHERE NOT EXISTS (SELECT 1 FROM workspace_quotas WHERE workspace_id = new.workspace_id); UPDATE workspace_quotas SET records = new.quota_records WHERE workspace_id = new.workspace_id AND new.quota_records <> old.quota_records; UPDATE workspace_quotas SET bytes = new.quota_bytes WHERE workspace_id = new.workspace_id AND new.quota_bytes <> old.quota_bytes; END;
--> statement-breakpoint
-- A move copies the catalogs as they are.
CREATE TRIGGER catalogs_quotas_follow AFTER UPDATE OF records, bytes ON workspace_quotas WHEN NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1) BEGIN UPDATE catalogs SET quota_records = new.records, quota_bytes = new.bytes WHERE workspace_id = new.workspace_id AND (quota_records <> new.records OR quota_bytes <> new.bytes); END;
--> statement-breakpoint
CREATE TRIGGER workspace_quotas_refused BEFORE UPDATE OF records, bytes, documents, document_bytes, registrations ON workspace_quotas WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
-- The bytes of files that wait count as bytes of records do. Those of the file that this write takes no longer wait after it. The new triggers are made before the old ones are dropped, so that no write slips through.
CREATE TRIGGER batches_quota BEFORE UPDATE OF grown_bytes ON batches WHEN new.inserted > 0 OR new.grown_bytes > 0 BEGIN INSERT INTO workspace_quotas (workspace_id) SELECT workspace_id FROM catalogs AS c WHERE catalog_id = new.catalog_id AND NOT EXISTS (SELECT 1 FROM workspace_quotas WHERE workspace_id = c.workspace_id); SELECT RAISE(ABORT, 'quota:records:' || records || ':' || used || ':' || (used + new.inserted)) FROM (SELECT records, (SELECT sum(total_records) FROM catalogs WHERE workspace_id = q.workspace_id) AS used FROM workspace_quotas AS q WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id)) WHERE new.inserted > 0 AND used + new.inserted > records; SELECT RAISE(ABORT, 'quota:bytes:' || bytes || ':' || used || ':' || (used + new.grown_bytes)) FROM (SELECT bytes, (SELECT sum(stored_bytes) FROM catalogs WHERE workspace_id = q.workspace_id) + (SELECT coalesce(sum(stored_bytes), 0) FROM uploads WHERE workspace_id = q.workspace_id AND outcome = 'held' AND upload_id <> new.batch_id) AS used FROM workspace_quotas AS q WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id)) WHERE new.grown_bytes > 0 AND used + new.grown_bytes > bytes; END;
--> statement-breakpoint
DROP TRIGGER batches_quota_records;
--> statement-breakpoint
DROP TRIGGER batches_bytes_quota;
--> statement-breakpoint
-- A file that waits must fit into the quota of bytes. Copying a workspace into this database is not stopped. After the insert, because the same file again is an update.
CREATE TRIGGER uploads_bytes_quota AFTER INSERT ON uploads WHEN new.outcome = 'held' BEGIN INSERT INTO workspace_quotas (workspace_id) SELECT new.workspace_id WHERE NOT EXISTS (SELECT 1 FROM workspace_quotas WHERE workspace_id = new.workspace_id); SELECT RAISE(ABORT, 'quota:bytes:' || bytes || ':' || (used - new.stored_bytes) || ':' || used) FROM (SELECT bytes, (SELECT coalesce(sum(stored_bytes), 0) FROM catalogs WHERE workspace_id = new.workspace_id) + (SELECT sum(stored_bytes) FROM uploads WHERE workspace_id = new.workspace_id AND outcome = 'held') AS used FROM workspace_quotas WHERE workspace_id = new.workspace_id) WHERE used > bytes AND NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1); END;
--> statement-breakpoint
DROP TRIGGER uploads_quota;
--> statement-breakpoint
-- Names of files that were stored before they were cut.
UPDATE batches SET file_name = substr(file_name, 1, 255) WHERE length(file_name) > 255;
