/** Compresses a blob. A browser does this on the calling thread, so compress megabytes in a worker. */
export const gzip = (plain: Blob): Promise<Blob> =>
  new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob()
