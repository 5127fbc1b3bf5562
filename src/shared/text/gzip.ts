/** The bytes of a blob, compressed. A browser compresses in the thread that asks: megabytes belong into a worker. */
export const gzip = (plain: Blob): Promise<Blob> =>
  new Response(plain.stream().pipeThrough(new CompressionStream('gzip'))).blob()
