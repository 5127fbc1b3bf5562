/** The service as a user starts it, on a state of its own, which can be killed and started again. */
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseEnv } from 'node:util'
import { ASSETS_ARE_BUILT } from '../../scripts/assets.mjs'
import { documentsBucket, readConfiguration } from '../../scripts/configuration.mjs'
import { localResources, objectFile } from '../../scripts/database/local.mjs'
import { CLOCK_PATH, CONTROL } from '../../scripts/local/control.mjs'
import { startAsUser } from '../../scripts/local/npm-start.mjs'
import { root } from '../../scripts/wrangler.mjs'
import { owned, scratchDirectory } from '../scratch.mjs'

// Imported late, so that a Node without it gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')

/** How long what was killed may take to be gone, in milliseconds. */
const GONE_TIMEOUT_MS = 10_000

/** A process and every process below it: `npm start` runs the server, and that the runtime. */
function descendants(pid) {
  const children = new Map()
  for (const line of execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number)
    children.set(parent, [...(children.get(parent) ?? []), child])
  }
  const found = [pid]
  for (const known of found) found.push(...(children.get(known) ?? []))
  return found
}

const isAlive = (pid) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

export class Instance {
  #port
  #distance
  #state = scratchDirectory('soak-state')
  #child
  #output = () => ''
  #assetsAreBuilt = false

  /** @param {number} distance milliseconds of a trip to a database */
  constructor(port, distance = 0) {
    this.#port = port
    this.#distance = distance
    this.origin = `http://localhost:${port}`
  }

  /** What the service said last, for the report. */
  get output() {
    return this.#output()
  }

  async operatorToken() {
    return parseEnv(await readFile(path.join(root, '.dev.vars'), 'utf8')).PLATFORM_ADMIN_TOKEN
  }

  /** Starts it, and waits until it is ready. */
  async start() {
    const args = ['--verbose', '--port', String(this.#port), '--persist-to', this.#state]
    args.push('--distance', String(this.#distance))
    const environment = this.#assetsAreBuilt ? { [ASSETS_ARE_BUILT]: '1' } : {}
    const { child, ready, output } = startAsUser(args, { environment })
    this.#child = owned(child)
    this.#output = output
    await ready
    this.#assetsAreBuilt = true
  }

  /**
   * Sets the clock of the service, until it starts again. Does nothing if the service does not answer.
   *
   * @param {number} aheadMs of the real one; negative for behind
   * @returns {Promise<boolean>} whether it is set
   */
  async setClock(aheadMs) {
    const answer = await fetch(`${this.origin}${CLOCK_PATH}?ahead=${aheadMs}`, CONTROL).catch(() => undefined)
    return answer?.ok === true
  }

  /** The keys in the bucket of the service that begin with a text, sorted. */
  storedKeys(prefix) {
    const { name } = documentsBucket(readConfiguration())
    const file = objectFile(localResources(this.#state), 'r2', 'miniflare-R2BucketObject', name)
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare('select key from _mf_objects where key >= ? and key < ?').all(prefix, `${prefix}~`)
    database.close()
    return rows.map(({ key }) => key).sort()
  }

  /** Ends everything of it at once, in the middle of whatever it does. */
  async kill() {
    const processes = descendants(this.#child.pid)
    for (const pid of processes) if (isAlive(pid)) process.kill(pid, 'SIGKILL')
    const deadline = Date.now() + GONE_TIMEOUT_MS
    while (processes.some(isAlive)) {
      if (Date.now() > deadline) throw new Error('The service could not be killed.')
      await sleep(50)
    }
  }

  /** Ends it politely. */
  async stop() {
    if (this.#child === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGTERM')
    await Promise.race([ended, sleep(GONE_TIMEOUT_MS, undefined, { ref: false })])
    if (this.#child.exitCode === null && this.#child.signalCode === null) await this.kill()
  }
}
