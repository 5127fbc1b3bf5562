import type { Env } from '#worker/env'

// A binding of another Worker, or of static assets, seems to have every method, because it passes all calls on.
const isDatabase = (binding: unknown): binding is D1Database =>
  typeof binding === 'object' && binding !== null && 'prepare' in binding && 'batch' in binding && !('fetch' in binding)

/** Names of the D1 databases that are bound in `wrangler.toml`; workspaces can live in each of them. */
export const boundDatabases = (env: Env): string[] =>
  Object.entries(env)
    .filter(([, binding]) => isDatabase(binding))
    .map(([name]) => name)
    .sort()

/** @throws Error when none is bound under this name; only the workspaces that should be there are affected */
export function boundDatabase(env: Env, name: string): D1Database {
  const binding: unknown = Reflect.get(env, name)
  if (!isDatabase(binding)) throw new Error(`configuration: no D1 database is bound as ${name}`)
  return binding
}
