CREATE TABLE `documents` (
	`workspace_id` text NOT NULL,
	`document_id` text NOT NULL,
	`size_bytes` integer NOT NULL,
	`content_type` text NOT NULL,
	`sha256` text NOT NULL,
	`tasks` text NOT NULL,
	`document_type` text,
	`created_by` text NOT NULL,
	`created_at` integer NOT NULL,
	PRIMARY KEY(`workspace_id`, `document_id`)
);
--> statement-breakpoint
CREATE TABLE `registrations` (
	`registration_id` text PRIMARY KEY NOT NULL,
	`workspace_id` text NOT NULL,
	`number_hash` text NOT NULL,
	`sealed_number` text NOT NULL,
	`sealed_name` text,
	`created_at` integer NOT NULL,
	`expires_at` integer NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX `registrations_number` ON `registrations` (`workspace_id`,`number_hash`);--> statement-breakpoint
CREATE INDEX `registrations_expiry` ON `registrations` (`expires_at`);