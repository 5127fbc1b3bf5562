-- The write that made the revision of a catalog. Of a catalog from before, as far as its write is known.
ALTER TABLE `catalogs` ADD `epoch` text DEFAULT '0' NOT NULL;--> statement-breakpoint
UPDATE `catalogs` SET `epoch` = coalesce((SELECT batch_id FROM batches INDEXED BY batches_revision WHERE batches.catalog_id = catalogs.catalog_id AND batches.revision = catalogs.revision AND batches.revision > batches.revision_before ORDER BY written_at LIMIT 1), '0') WHERE revision > 0;
