-- Ids and codes of records, folded, for partner search. WITHOUT ROWID, which drizzle-kit cannot say.
CREATE TABLE `record_codes` (
	`catalog_id` integer NOT NULL,
	`code` text NOT NULL,
	`row_id` integer NOT NULL,
	`folding` integer NOT NULL,
	PRIMARY KEY(`catalog_id`, `code`, `row_id`)
) WITHOUT ROWID;
--> statement-breakpoint
CREATE INDEX `record_codes_folding` ON `record_codes` (`folding`,`row_id`) WHERE folding > 0;--> statement-breakpoint
CREATE TABLE `uncoded_catalogs` (
	`catalog_id` integer PRIMARY KEY NOT NULL,
	`next_row_id` integer NOT NULL
);
--> statement-breakpoint
-- An insert here adds the codes of a record, and a deletion removes them. A refid may be nested so deeply that SQL cannot read the values of its record.
CREATE VIEW record_code_values AS SELECT row_id, catalog_id, record_id, iif(json_valid(data), data, '[]') AS data FROM records;
--> statement-breakpoint
-- Adds the codes of a record, in small letters: of a medication sku, generic_id and generic_list_ids, of a lab test loinc, else snomed_id and icd10. SQL folds ASCII only. A code beyond it, or with other white space than single spaces, waits for the Worker. An id that is all small or all capital is found by records_id.
CREATE TRIGGER record_code_values_add INSTEAD OF INSERT ON record_code_values BEGIN INSERT INTO record_codes (catalog_id, code, row_id, folding) SELECT new.catalog_id, lower(code), new.row_id, code GLOB '*[^!-~]*' AND (code GLOB '*[^ -~]*' OR instr(code, '  ') > 0 OR code <> trim(code)) FROM (SELECT new.data ->> (CASE type WHEN 'medication' THEN 10 WHEN 'lab_test' THEN 6 ELSE 4 END) AS code FROM catalogs WHERE catalog_id = new.catalog_id UNION ALL SELECT new.data ->> (CASE type WHEN 'medication' THEN 6 WHEN 'lab_test' THEN NULL ELSE 5 END) FROM catalogs WHERE catalog_id = new.catalog_id UNION ALL SELECT value FROM catalogs CROSS JOIN json_each(new.data, '$[8]') WHERE catalog_id = new.catalog_id AND catalogs.type = 'medication' AND new.data ->> 8 <> 0 UNION ALL SELECT new.record_id WHERE new.record_id NOT IN (lower(new.record_id), upper(new.record_id)) OR (new.record_id GLOB '*[^!-~]*' AND (new.record_id GLOB '*[^ -~]*' OR instr(new.record_id, '  ') > 0 OR new.record_id <> trim(new.record_id)))) WHERE typeof(code) = 'text' ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- The values of other types in the same places are no codes of the record, so nothing is there to be removed. What the Worker has folded is found by the row alone.
CREATE TRIGGER record_code_values_remove INSTEAD OF DELETE ON record_code_values BEGIN DELETE FROM record_codes WHERE folding > 0 AND folding = 2 AND row_id = old.row_id; DELETE FROM record_codes WHERE catalog_id = old.catalog_id AND row_id = old.row_id AND code IN (SELECT lower(atom) FROM json_tree(json_array(old.record_id, old.data ->> 4, old.data ->> 5, old.data ->> 6, old.data -> 8, old.data ->> 10)) WHERE type = 'text'); END;
--> statement-breakpoint
-- The Worker adds the codes of new records in the same transaction, and then deletes this row. Those of an earlier release, and copies of workspaces, wait for the scheduled run.
CREATE TRIGGER catalogs_uncoded AFTER UPDATE OF next_number ON catalogs WHEN new.next_number > old.next_number BEGIN INSERT INTO uncoded_catalogs (catalog_id, next_row_id) VALUES (new.catalog_id, (new.catalog_id << 36) + old.next_number) ON CONFLICT DO NOTHING; END;
--> statement-breakpoint
-- Before the update, because the old codes are still in the record.
CREATE TRIGGER records_codes_changed BEFORE UPDATE OF data ON records WHEN new.data <> old.data AND iif(json_valid(new.data) AND json_valid(old.data), new.data ->> 4 IS NOT old.data ->> 4 OR new.data ->> 5 IS NOT old.data ->> 5 OR new.data ->> 6 IS NOT old.data ->> 6 OR new.data ->> 8 IS NOT old.data ->> 8 OR new.data ->> 10 IS NOT old.data ->> 10, 1) BEGIN DELETE FROM record_code_values WHERE row_id = old.row_id; INSERT INTO record_code_values (row_id, catalog_id, record_id, data) VALUES (new.row_id, new.catalog_id, new.record_id, iif(json_valid(new.data), new.data, '[]')); END;
--> statement-breakpoint
CREATE TRIGGER catalogs_codes AFTER DELETE ON catalogs BEGIN DELETE FROM record_codes WHERE catalog_id = old.catalog_id; DELETE FROM uncoded_catalogs WHERE catalog_id = old.catalog_id; END;
--> statement-breakpoint
-- After the triggers, so that no write slips through.
INSERT INTO uncoded_catalogs (catalog_id, next_row_id) SELECT catalog_id, catalog_id << 36 FROM catalogs WHERE next_number > 0;
--> statement-breakpoint
-- The next records whose codes the scheduled run adds.
CREATE VIEW uncoded_records AS SELECT row_id FROM records WHERE row_id >= (SELECT next_row_id FROM uncoded_catalogs ORDER BY catalog_id LIMIT 1) AND row_id < ((SELECT min(catalog_id) FROM uncoded_catalogs) + 1) << 36 ORDER BY row_id LIMIT 2000;
