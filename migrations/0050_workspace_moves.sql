CREATE TABLE `workspace_fences` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`refuses` text NOT NULL,
	`attempt` integer NOT NULL,
	`filling` integer DEFAULT 0 NOT NULL,
	`forget_after` integer
);
--> statement-breakpoint
CREATE TABLE `workspace_moves` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`attempt` integer NOT NULL,
	`source` text NOT NULL,
	`target` text NOT NULL,
	`step` text NOT NULL,
	`progress` text NOT NULL,
	`copied` integer NOT NULL,
	`total` integer NOT NULL,
	`stepped_at` integer NOT NULL,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
-- A database refuses to write for a workspace that has left it, is about to leave or has not arrived: isolates remember
-- the old place for some seconds and would go on writing there. Each trigger on one line: the remote splitter of
-- statements asks for it.
CREATE TRIGGER batches_fence BEFORE INSERT ON batches WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = (SELECT workspace_id FROM catalogs WHERE catalog_id = new.catalog_id) AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER catalogs_fence BEFORE INSERT ON catalogs WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER catalogs_settings_fence BEFORE UPDATE OF search_enabled, quota_records, quota_bytes ON catalogs WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER documents_fence BEFORE INSERT ON documents WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER registrations_fence BEFORE INSERT ON registrations WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER registrations_update_fence BEFORE UPDATE ON registrations WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
