CREATE TABLE `encryption_keys` (
	`kid` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`sealed_key` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `encryption_keys_workspace` ON `encryption_keys` (`workspace_id`,`created_at`);--> statement-breakpoint
CREATE TABLE `partner_credentials` (
	`kid` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`issuer` text NOT NULL,
	`sealed_secret` text NOT NULL,
	`allowed_origins` text NOT NULL,
	`created_at` integer NOT NULL,
	`revoked_at` integer,
	FOREIGN KEY (`workspace_id`) REFERENCES `workspaces`(`workspace_id`) ON UPDATE no action ON DELETE no action
);
--> statement-breakpoint
CREATE INDEX `partner_credentials_workspace` ON `partner_credentials` (`workspace_id`,`created_at`);