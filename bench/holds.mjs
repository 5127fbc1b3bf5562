/**
 * For how long one body holds an isolate: `node bench/holds.mjs [part of a name…]`.
 *
 * While a body is handled, another caller asks for something that takes no time, again and again. The figures are CPU
 * time of the isolate's thread during the longest of these waits, so other programs of the machine do not change them.
 */
import '../scripts/require-node.mjs'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { BODIES } from './attack-bodies.mjs'
import { attacks } from './attacks.mjs'
import { HttpClient } from './http-client.mjs'
import { IsolateHost } from './isolate.mjs'
import { Operator } from './workspace.mjs'

/** Connections that send the same body, beside the list of another tenant. */
const ATTACKERS = 4

const DRY_RUN = '/admin/datasets/v1/?type=medication&dry_run=true'
const LIST = '/admin/datasets/v1/?type=symptom'

/** CPU time of the first thread of a process, in milliseconds. It is the one that runs the isolate. */
const cpuOf = (pid) => Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** The CPU time of the longest wait of `ask` while `work` goes on. */
async function longestWait(pid, work, ask) {
  let isOver = false
  const done = work().finally(() => {
    isOver = true
  })
  let longest = 0
  while (!isOver) {
    const before = cpuOf(pid)
    await ask()
    longest = Math.max(longest, cpuOf(pid) - before)
  }
  return { result: await done, longest }
}

/** A catalog from a file, repeated with other ids until it has as many rows. */
function valid(rows) {
  const [head, ...lines] = readFileSync(path.join(import.meta.dirname, '../samples/medications.csv'), 'utf8')
    .trim()
    .split('\n')
  const own = (n) => lines[n % lines.length].replace(/^[^,]*/, (id) => `${id}-${n}`)
  return Buffer.from([head, ...Array.from({ length: rows }, (_, n) => own(n))].join('\n'))
}

async function* requests(workspace, key) {
  const post = (type, body, headers = {}) => ({
    target: DRY_RUN,
    init: { method: 'POST', headers: { ...workspace.headers, 'Content-Type': type, ...headers }, body },
  })
  yield { name: 'CSV, 44,328 valid rows', ...post('text/csv', valid(44_328)) }
  const records = Array.from({ length: 44_328 }, (_, n) => ({
    medication_id: `m${n}`,
    name: `Paracetamol ${n} mg`,
    generic_name: 'Paracetamol',
    strength: `${n} mg`,
    aliases: [`PCM ${n}`],
  }))
  yield { name: 'JSON, 44,328 valid records', ...post('application/json', JSON.stringify(records)) }
  for (const [name, make] of Object.entries(BODIES)) {
    const { type, bytes } = make()
    yield { name: `${name}, gzip`, ...post(type, gzipSync(bytes), { 'Content-Encoding': 'gzip' }) }
  }
  for await (const { name, request } of attacks({ key, batchId: 'none' })) {
    if (name.startsWith('encrypted')) yield { name, ...request(workspace) }
  }
}

const parts = process.argv.slice(2)
const host = await IsolateHost.prepare()
try {
  const [attacker, other, key] = await host.withIsolate(undefined, async (client) => {
    const operator = new Operator(client, host.operatorToken)
    const [first, second] = [await operator.newWorkspace(), await operator.newWorkspace()]
    return [first, second, await operator.newSharedKey(first.id)]
  })
  for await (const { name, target, init } of requests(attacker, key)) {
    if (parts.length > 0 && !parts.some((part) => name.includes(part))) continue
    const row = await host.withIsolate(undefined, async (client, pid) => {
      const tenant = new HttpClient(client.origin)
      const send = () => client.send(target, init)
      // The first request compiles the code.
      const { status } = await send()
      const all = () => Promise.all(Array.from({ length: ATTACKERS }, send))
      const before = cpuOf(pid)
      const alone = await longestWait(pid, send, () => tenant.send('/nothing'))
      const cpu = cpuOf(pid) - before
      const four = await longestWait(pid, all, () => tenant.send(LIST, { headers: other.headers }))
      tenant.close()
      return [status, cpu, alone.longest, four.longest].map((value) => value.toFixed(0).padStart(6)).join('')
    })
    process.stdout.write(`${row}  ${name}\n`)
  }
} finally {
  host.close()
}
process.exit()
