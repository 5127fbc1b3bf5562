-- Which words are in a list. Words that an earlier release wrote, and those of its backups, are not: the scheduled run, the next write of such a word, or the restore adds lists of them.
ALTER TABLE `search_words` ADD `listed` integer DEFAULT 0 NOT NULL;
--> statement-breakpoint
INSERT INTO search_words (catalog_id, word, place, listed) SELECT catalog_id, substr(value, 2), lower(substr(value, 1, 1)), 1 FROM search_word_lists CROSS JOIN json_each(words) WHERE true ON CONFLICT DO UPDATE SET listed = 1;
--> statement-breakpoint
-- After the update, so that it gets no entries which are deleted at once.
CREATE INDEX `search_words_unlisted` ON `search_words` (`catalog_id`) WHERE listed = 0;
--> statement-breakpoint
DROP TRIGGER search_word_lists_words;
--> statement-breakpoint
-- The words of a new list are listed, also those that were there without a list.
CREATE TRIGGER search_word_lists_words AFTER INSERT ON search_word_lists BEGIN INSERT INTO search_words (catalog_id, word, place, listed) SELECT new.catalog_id, substr(value, 2), lower(substr(value, 1, 1)), 1 FROM json_each(new.words) WHERE true ON CONFLICT DO UPDATE SET listed = 1; END;
--> statement-breakpoint
-- The lists of 5000 words that have none, as rows for search_word_lists. A view, because the service and the scripts need them.
CREATE VIEW missing_word_lists AS SELECT catalog_id, 1 + list + (SELECT coalesce(max(number), 0) FROM search_word_lists WHERE search_word_lists.catalog_id = unlisted.catalog_id) AS number, json_group_array(placed) AS words FROM (SELECT catalog_id, upper(place) || word AS placed, sum(octet_length(place || word) + 3) OVER (PARTITION BY catalog_id ORDER BY word, place ROWS UNBOUNDED PRECEDING) / 700 AS list FROM (SELECT catalog_id, word, place FROM search_words INDEXED BY search_words_unlisted WHERE listed = 0 LIMIT 5000)) AS unlisted GROUP BY catalog_id, list;
