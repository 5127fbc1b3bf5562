/**
 * The columns of a data point, in the order in which Analytics Engine numbers them (`blob1`, `double1`, …). Queries
 * name them by their numbers (docs/operating.md): add new ones at the end only.
 */
const BLOBS = ['workspace', 'client', 'method', 'route', 'outcome', 'type', 'mode'] as const
export const DOUBLES = [
  'status',
  'ms',
  'database_ms',
  'round_trips',
  'rows_read',
  'rows_written',
  'bytes',
  'total',
] as const

/** Sends the log line of a request as a data point, if the operator has bound a dataset. */
export function writePoint(dataset: AnalyticsEngineDataset | undefined, line: Readonly<Record<string, unknown>>): void {
  dataset?.writeDataPoint({
    // Points are sampled by the index: a busy workspace does not push others out.
    indexes: [String(line.workspace ?? '')],
    blobs: BLOBS.map((name) => String(line[name] ?? '')),
    doubles: DOUBLES.map((name) => Number(line[name] ?? 0)),
  })
}
