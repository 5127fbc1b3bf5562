-- A write that must not happen is stopped inside its own transaction, and says why with the figures of that moment.
-- Not a CHECK, whose message cannot hold figures.
CREATE TRIGGER batches_expected_revision BEFORE INSERT ON batches WHEN new.expected_revision IS NOT NULL AND new.expected_revision <> new.revision_before BEGIN SELECT RAISE(ABORT, 'stale_revision:' || new.revision_before); END;
--> statement-breakpoint
CREATE TRIGGER batches_shrink_guard BEFORE UPDATE OF deactivated ON batches WHEN new.guarded = 1 AND new.deactivated * 2 > new.active_before BEGIN SELECT RAISE(ABORT, 'shrink_guard:' || new.active_before || ':' || new.deactivated); END;
