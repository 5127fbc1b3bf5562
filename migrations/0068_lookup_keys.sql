CREATE TABLE `lookup_keys` (
	`number` integer PRIMARY KEY NOT NULL,
	`sealed_key` text NOT NULL
);
