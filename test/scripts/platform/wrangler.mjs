/** wrangler in one process for all commands of a test, because its start uses two seconds of CPU time. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import path from 'node:path'
import { json } from 'node:stream/consumers'
import { root } from '../../../scripts/wrangler.mjs'

const MODULES = path.join(root, 'node_modules')
const CLI = path.join('wrangler', 'wrangler-dist', 'cli.js')

/** The program in place of wrangler's. */
const START = /^if \(typeof vitest === "undefined" && __require\.main === module\) \{$/m

/** The path of wrangler's program in the scripts. */
const PROGRAM = /(?<=^export const WRANGLER = ).*$/m

function replaced(text, pattern, by) {
  if (!pattern.test(text)) throw new Error(`${pattern} is not in the text any more.`)
  return text.replace(pattern, by)
}

/** A program that lets the shared process run its command. */
const programFor = (
  port,
) => `const body = JSON.stringify({ args: process.argv.slice(2), cwd: process.cwd(), env: process.env })
require('node:http').request({ port: ${port}, method: 'POST' }, async (response) => {
  const { code, output, errors } = JSON.parse((await response.toArray()).join(''))
  process.stdout.write(output)
  process.stderr.write(errors)
  process.exitCode = code
}).end(body)
`

/**
 * Lets the scripts of a copy of the project run wrangler's commands in one process.
 *
 * @param {string} project its folder
 * @returns {Promise<() => void>} ends the process
 */
export async function shareWrangler(project) {
  const inside = (...names) => path.join(project, ...names)
  const [cli, program, scripts] = [
    inside(CLI.replace('.js', '.cjs')),
    inside('wrangler', 'program.cjs'),
    inside('scripts', 'wrangler.mjs'),
  ]
  await mkdir(path.dirname(cli), { recursive: true })
  await symlink(path.join(MODULES, 'wrangler', 'templates'), inside('wrangler', 'templates'))
  await writeFile(
    cli,
    replaced(await readFile(path.join(MODULES, CLI), 'utf8'), START, 'exports.main = main\nif (false) {'),
  )
  // Its banner asks the registry for newer releases.
  const env = { ...process.env, CI: '1', WRANGLER_HIDE_BANNER: 'true' }
  const child = fork(import.meta.filename, [cli], { env })
  const [port] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  if (!child.connected) throw new Error('wrangler could not be loaded.')
  await writeFile(program, programFor(port))
  await writeFile(scripts, replaced(await readFile(scripts, 'utf8'), PROGRAM, JSON.stringify(program)))
  return () => child.kill()
}

/** Redirects a stream of this process to a list. @returns a function that ends that */
function collect(stream, parts) {
  const { write } = stream
  stream.write = (text) => parts.push(String(text)) > 0
  return () => {
    stream.write = write
  }
}

/** Runs a command. @returns {Promise<{ code: number, output: string, errors: string }>} */
async function runCommand(main, { args, cwd, env }) {
  const [output, errors] = [[], []]
  const before = { ...process.env }
  process.chdir(cwd)
  Object.assign(process.env, env)
  const ends = [collect(process.stdout, output), collect(process.stderr, errors)]
  const code = await main(args).then(
    () => 0,
    () => 1,
  )
  for (const end of ends) end()
  for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
  Object.assign(process.env, before)
  return { code, output: output.join(''), errors: errors.join('') }
}

if (process.argv[1] === import.meta.filename) {
  const { main } = createRequire(import.meta.url)(process.argv[2])
  let last = Promise.resolve()
  const server = createServer(async (request, response) => {
    const command = await json(request)
    last = last.then(() => runCommand(main, command)).then((ended) => void response.end(JSON.stringify(ended)))
  }).listen(0, '127.0.0.1', () => process.send(server.address().port))
}
