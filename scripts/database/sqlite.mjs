// Imported late, so that a Node without it gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')

/** The longest statement that D1 takes, in bytes. */
const D1_STATEMENT_BYTES = 100_000

/** A name of a database that is in the memory of this process alone. */
const IN_MEMORY = ':memory:'

/**
 * A temporary database of this process, which runs SQL much faster than a runtime with D1 does. Of the limits of D1
 * it knows the length of a statement.
 *
 * @param {string} [file] in the memory by default
 * @returns {{ read: import('./dump.mjs').Read, batch: (statements: string[]) => Promise<void>, close: () =>
 * Promise<void> }}
 *   the columns of a query must have different names
 */
export function openSqlite(file = IN_MEMORY) {
  const sqlite = new DatabaseSync(file)
  // Nothing needs to survive a crash.
  sqlite.exec('PRAGMA synchronous = OFF')
  return {
    read: async (sql, ...parameters) =>
      sqlite
        .prepare(sql)
        .all(.../** @type {any[]} */ (parameters))
        .map(Object.values),
    batch: async (statements) => {
      const long = statements.find((sql) => Buffer.byteLength(sql) > D1_STATEMENT_BYTES)
      if (long) throw new Error(`A statement is too long for D1: ${long.slice(0, 60)} ...`)
      sqlite.exec(['BEGIN', ...statements, 'COMMIT'].join(';\n'))
    },
    close: async () => sqlite.close(),
  }
}
