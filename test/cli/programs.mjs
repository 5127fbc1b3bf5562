/** Programs, started as by a shell. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'

/** A user's environment in which npm must not need a registry: nothing listens at the registry's address. */
export const withoutRegistry = (home) => ({
  PATH: process.env.PATH,
  HOME: home,
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_update_notifier: 'false',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
})

/** Runs a program until it ends. @param {{ cwd?: string, env: Record<string, string>, input?: string }} options */
export async function runToEnd(file, args, { cwd, env, input }) {
  const child = spawn(file, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, stdout, stderr }
}
