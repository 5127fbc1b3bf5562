-- A fence that is lifted stays as a row that refuses nothing. Its number tells which statements of moves come too late.
ALTER TABLE `workspace_fences` ADD `turn` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
-- The new triggers are made before the old ones are dropped, so that no write slips through.
CREATE TRIGGER batches_refused BEFORE INSERT ON batches WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id) AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER catalogs_refused BEFORE INSERT ON catalogs WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER catalogs_settings_refused BEFORE UPDATE OF search_enabled, quota_records, quota_bytes ON catalogs WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER documents_refused BEFORE INSERT ON documents WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER registrations_refused BEFORE INSERT ON registrations WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER registrations_update_refused BEFORE UPDATE ON registrations WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
-- A document must not be deleted in a copy that is not used. An earlier release deletes old copies without the mark filling, but its fences have no turn.
CREATE TRIGGER documents_deletion_refused BEFORE DELETE ON documents WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = old.workspace_id AND filling = 0 AND refuses <> 'nothing' AND turn > 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
DROP TRIGGER batches_fence;
--> statement-breakpoint
DROP TRIGGER catalogs_fence;
--> statement-breakpoint
DROP TRIGGER catalogs_settings_fence;
--> statement-breakpoint
DROP TRIGGER documents_fence;
--> statement-breakpoint
DROP TRIGGER registrations_fence;
--> statement-breakpoint
DROP TRIGGER registrations_update_fence;
