-- Names that say what the columns hold.
ALTER TABLE `records` RENAME COLUMN `seq` TO `row_id`;--> statement-breakpoint
ALTER TABLE `records` RENAME COLUMN `prior` TO `state_before`;
