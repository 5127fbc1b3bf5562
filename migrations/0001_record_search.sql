-- Trigram index over records.search_text, which is folded already. Contentless, because the text stands in
-- records. Without positions (detail=none), because every hit is checked against the text itself.
-- Row ids are records.seq, so that a catalog is one range of them.
CREATE VIRTUAL TABLE records_search USING fts5(
  search_text,
  content='',
  contentless_delete=1,
  detail='none',
  tokenize='trigram case_sensitive 1'
);
--> statement-breakpoint
-- Every write leaves a segment of the index behind, and a search asks them all. The scheduled merge joins two or more.
INSERT INTO records_search (records_search, rank) VALUES ('usermerge', 2);
