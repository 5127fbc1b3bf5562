/** Runs a read when it is the turn of its workspace; see `src/http/expensive-reads.ts`. */
export type Paced = <T>(read: () => Promise<T>) => Promise<T>
