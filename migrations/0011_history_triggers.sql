-- Keeps the version of a record that a write ends. A trigger, so that no path can forget to.
CREATE TRIGGER records_keep_version AFTER UPDATE OF updated_at ON records WHEN new.updated_at <> old.updated_at AND (SELECT keeps_versions FROM catalogs WHERE catalog_id = new.catalog_id) = 1 BEGIN INSERT INTO record_versions (catalog_id, ended_at, row_id, written_at, is_active, state_before, data, search_text) VALUES (old.catalog_id, new.updated_at, old.row_id, old.updated_at, old.is_active, old.state_before, old.data, iif(old.search_text = new.search_text, NULL, old.search_text)); END;
--> statement-breakpoint
-- The shrink guard, when all is written: what was sent as inactive counts as well as what was left out.
CREATE TRIGGER batches_shrink_guard BEFORE UPDATE OF active_lost ON batches WHEN new.max_shrink IS NOT NULL AND new.active_lost * 100 > new.max_shrink * new.active_before BEGIN SELECT RAISE(ABORT, 'shrink_guard:' || new.active_before || ':' || new.active_lost); END;
--> statement-breakpoint
-- A restore names a revision that there was and whose versions are kept. On UPDATE, because a backup that is restored
-- inserts rows that were checked when they were written.
CREATE TRIGGER batches_restored_revision BEFORE UPDATE OF restored_revision ON batches WHEN new.restored_revision > new.revision_before OR new.restored_revision < (SELECT history_from FROM catalogs WHERE catalog_id = new.catalog_id) BEGIN SELECT RAISE(ABORT, 'unrestorable_revision:' || new.revision_before || ':' || (SELECT history_from FROM catalogs WHERE catalog_id = new.catalog_id)); END;
