CREATE TABLE `watches` (
	`workspace_id` text NOT NULL,
	`type` text NOT NULL,
	`every_hours` integer NOT NULL,
	`grace_hours` integer NOT NULL,
	`set_by` text NOT NULL,
	`set_at` integer NOT NULL,
	`told_state` text NOT NULL,
	`told_since` integer NOT NULL,
	`told_upload_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `type`)
);
--> statement-breakpoint
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
);
--> statement-breakpoint
CREATE INDEX `webhook_messages_due` ON `webhook_messages` (`next_attempt_at`);--> statement-breakpoint
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
	PRIMARY KEY(`workspace_id`, `webhook_id`)
);
--> statement-breakpoint
CREATE INDEX `webhooks_failing` ON `webhooks` (`failing_since`);
--> statement-breakpoint
-- Webhooks and watches change where their workspace is. Their messages are inserted and sent by statements that look at the fence themselves.
CREATE TRIGGER webhooks_refused BEFORE INSERT ON webhooks WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER webhooks_update_refused BEFORE UPDATE ON webhooks WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER webhooks_deletion_refused BEFORE DELETE ON webhooks WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = old.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER watches_refused BEFORE INSERT ON watches WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER watches_update_refused BEFORE UPDATE ON watches WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = new.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
--> statement-breakpoint
CREATE TRIGGER watches_deletion_refused BEFORE DELETE ON watches WHEN EXISTS (SELECT 1 FROM workspace_fences WHERE workspace_id = old.workspace_id AND filling = 0 AND refuses <> 'nothing') BEGIN SELECT RAISE(ABORT, 'workspace_moved'); END;
