-- The search text tells names from aliases: lines of names begin with a line feed and their words with a space, lines of aliases begin with a carriage return and their words with a tab.
UPDATE `records` SET `search_text` = replace(replace(`search_text`, char(10, 10), char(10)), '  ', ' ');
--> statement-breakpoint
UPDATE `records` SET `search_text` = t.names || iif(t.aliases = '', '', char(13) || replace(replace(t.aliases, char(10), char(13)), ' ', char(9))) FROM (SELECT row_id AS id, substr(search_text, 1, shown) AS names, substr(search_text, shown + 1) AS aliases FROM (SELECT row_id, search_text, first + iif(json_type(data, '$[1]') = 'text' AND first < length(search_text) AND (second = lower(trim(data ->> 1)) OR length(data ->> 1) < octet_length(data ->> 1)), length(second) + 1, 0) AS shown FROM (SELECT row_id, search_text, data, first, substr(search_text, first + 1, instr(substr(search_text, first + 1), char(10)) - 1) AS second FROM (SELECT row_id, search_text, data, instr(substr(search_text, 2), char(10)) + 1 AS first FROM records)))) AS t WHERE records.row_id = t.id AND t.aliases <> '';
--> statement-breakpoint
-- One word index in place of the trigram index. A token is the id of the catalog, a letter for the place, and the word: catalogs share no token, so none makes the search of another one slower.
DROP TABLE records_search;
--> statement-breakpoint
-- Contentless, because the text stands in records, and without positions, because every hit is checked against the text. Every character but white space belongs to a token.
CREATE VIRTUAL TABLE records_search USING fts5(tokens, content='', contentless_delete=1, detail='none', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* P* S* C*'");
--> statement-breakpoint
-- Every write leaves a segment of the index behind, and a search asks them all. The scheduled merge joins two or more.
INSERT INTO records_search (records_search, rank) VALUES ('usermerge', 2);
--> statement-breakpoint
CREATE VIRTUAL TABLE records_terms USING fts5vocab('records_search', 'row');
--> statement-breakpoint
CREATE TABLE `search_words` (
	`catalog_id` integer NOT NULL,
	`word` text NOT NULL,
	`place` text NOT NULL,
	PRIMARY KEY(`catalog_id`, `word`, `place`)
) WITHOUT ROWID;
--> statement-breakpoint
INSERT INTO records_search (rowid, tokens) SELECT row_id, replace(replace(replace(replace(search_text, ' ', ' ' || catalog_id || 'b'), char(10), ' ' || catalog_id || 'a'), char(13), ' ' || catalog_id || 'c'), char(9), ' ' || catalog_id || 'd') FROM records;
--> statement-breakpoint
INSERT OR IGNORE INTO search_words (catalog_id, word, place) SELECT catalog_id, substr(term, length(catalog_id) + 2), substr(term, length(catalog_id) + 1, 1) FROM catalogs CROSS JOIN records_terms WHERE term >= catalog_id || 'a' AND term < catalog_id || 'e' AND length(term) > length(catalog_id) + 1;
