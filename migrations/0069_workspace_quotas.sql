CREATE TABLE `document_removals` (
	`workspace_id` text NOT NULL,
	`document_id` text NOT NULL,
	`removed_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `document_id`)
);
--> statement-breakpoint
CREATE TABLE `workspace_quotas` (
	`workspace_id` text PRIMARY KEY NOT NULL,
	`documents` integer DEFAULT 100000 NOT NULL,
	`documents_used` integer DEFAULT 0 NOT NULL,
	`document_bytes` integer DEFAULT 10000000000 NOT NULL,
	`document_bytes_used` integer DEFAULT 0 NOT NULL,
	`registrations` integer DEFAULT 10000 NOT NULL,
	`registrations_used` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE INDEX `sessions_user` ON `sessions` (`user_id`,`created_at`);--> statement-breakpoint
CREATE INDEX `documents_age` ON `documents` (`created_at`);--> statement-breakpoint
-- A new row counts what the workspace has already. Counting at the first use keeps this migration short.
CREATE TRIGGER workspace_quotas_count AFTER INSERT ON workspace_quotas BEGIN UPDATE workspace_quotas SET documents_used = (SELECT count(*) FROM documents WHERE workspace_id = new.workspace_id), document_bytes_used = (SELECT coalesce(sum(size_bytes), 0) FROM documents WHERE workspace_id = new.workspace_id), registrations_used = (SELECT count(*) FROM registrations WHERE workspace_id = new.workspace_id) WHERE workspace_id = new.workspace_id; END;
--> statement-breakpoint
-- Each of these counts a row, makes the row of the workspace if there is none (it then counts the new row too), and stops an insert beyond a limit. Copying a workspace into this database is not stopped.
CREATE TRIGGER documents_quota AFTER INSERT ON documents BEGIN UPDATE workspace_quotas SET documents_used = documents_used + 1, document_bytes_used = document_bytes_used + new.size_bytes WHERE workspace_id = new.workspace_id; INSERT INTO workspace_quotas (workspace_id) SELECT new.workspace_id WHERE NOT EXISTS (SELECT 1 FROM workspace_quotas WHERE workspace_id = new.workspace_id); SELECT RAISE(ABORT, 'quota:documents:' || documents || ':' || (documents_used - 1) || ':' || documents_used) FROM workspace_quotas WHERE workspace_id = new.workspace_id AND documents_used > documents AND NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1); SELECT RAISE(ABORT, 'quota:document_bytes:' || document_bytes || ':' || (document_bytes_used - new.size_bytes) || ':' || document_bytes_used) FROM workspace_quotas WHERE workspace_id = new.workspace_id AND document_bytes_used > document_bytes AND NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1); END;
--> statement-breakpoint
CREATE TRIGGER documents_quota_freed AFTER DELETE ON documents BEGIN UPDATE workspace_quotas SET documents_used = documents_used - 1, document_bytes_used = document_bytes_used - old.size_bytes WHERE workspace_id = old.workspace_id; END;
--> statement-breakpoint
CREATE TRIGGER registrations_quota AFTER INSERT ON registrations BEGIN UPDATE workspace_quotas SET registrations_used = registrations_used + 1 WHERE workspace_id = new.workspace_id; INSERT INTO workspace_quotas (workspace_id) SELECT new.workspace_id WHERE NOT EXISTS (SELECT 1 FROM workspace_quotas WHERE workspace_id = new.workspace_id); SELECT RAISE(ABORT, 'quota:registrations:' || registrations || ':' || (registrations_used - 1) || ':' || registrations_used) FROM workspace_quotas WHERE workspace_id = new.workspace_id AND registrations_used > registrations AND NOT EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 1); END;
--> statement-breakpoint
CREATE TRIGGER registrations_quota_freed AFTER DELETE ON registrations BEGIN UPDATE workspace_quotas SET registrations_used = registrations_used - 1 WHERE workspace_id = old.workspace_id; END;
--> statement-breakpoint
-- A document is deleted where its workspace is: the first statement of a deletion inserts here.
CREATE TRIGGER document_removals_fence BEFORE INSERT ON document_removals WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND refuses IN ('writes', 'everything')) BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
