-- Feeds of single records: what the scheduled run remembers of each catalog, and how many words its lists have, so that no write counts them.
CREATE TABLE `catalog_upkeep` (
	`catalog_id` integer PRIMARY KEY NOT NULL,
	`listed_words` integer DEFAULT 0 NOT NULL,
	`swept_list` integer DEFAULT 0 NOT NULL,
	`swept_at` integer DEFAULT 0 NOT NULL,
	`swept_write` integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
-- A catalog without a row has lists of an earlier release, or of its backup: they are counted once.
CREATE TRIGGER search_word_lists_count AFTER INSERT ON search_word_lists BEGIN INSERT INTO catalog_upkeep (catalog_id, listed_words) SELECT new.catalog_id, (SELECT coalesce(sum(json_array_length(words)), 0) FROM search_word_lists WHERE catalog_id = new.catalog_id AND number <> new.number) WHERE NOT EXISTS (SELECT 1 FROM catalog_upkeep WHERE catalog_id = new.catalog_id); UPDATE catalog_upkeep SET listed_words = listed_words + json_array_length(new.words) WHERE catalog_id = new.catalog_id; END;
--> statement-breakpoint
CREATE TRIGGER search_word_lists_recount AFTER UPDATE OF words ON search_word_lists BEGIN UPDATE catalog_upkeep SET listed_words = listed_words + json_array_length(new.words) - json_array_length(old.words) WHERE catalog_id = new.catalog_id; END;
--> statement-breakpoint
CREATE TRIGGER search_word_lists_discount AFTER DELETE ON search_word_lists BEGIN UPDATE catalog_upkeep SET listed_words = listed_words - json_array_length(old.words) WHERE catalog_id = old.catalog_id; END;
--> statement-breakpoint
CREATE TRIGGER catalogs_upkeep AFTER DELETE ON catalogs BEGIN DELETE FROM catalog_upkeep WHERE catalog_id = old.catalog_id; END;
--> statement-breakpoint
-- A full history no longer stops a write. The oldest versions are forgotten earlier.
DROP TRIGGER batches_quota_history;
