-- What an API key permits, who made a key, and the hour in which it was last used. Which user of a partner uploaded a document.
ALTER TABLE `api_keys` ADD `scopes` text DEFAULT '["catalog:read","catalog:write","search","documents","registration"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `name` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `api_keys` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `partner_credentials` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `partner_credentials` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `encryption_keys` ADD `created_by` text;--> statement-breakpoint
ALTER TABLE `encryption_keys` ADD `last_used_at` integer;--> statement-breakpoint
ALTER TABLE `documents` ADD `user_hash` text;
