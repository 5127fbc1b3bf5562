/** PHP under FPM, called as by a web server (FastCGI 1.0): the parameters of the request are its only environment. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'

const FOLDERS = ['/usr/sbin', '/usr/local/sbin']

/** The executable; undefined if there is none. */
export const phpFpm: string | undefined = FOLDERS.filter(existsSync).flatMap((folder) =>
  readdirSync(folder).flatMap((name) => (/^php-fpm[\d.]*$/.test(name) ? [path.join(folder, name)] : [])),
)[0]

/** @param folder contains the socket */
export function startFpm(program: string, folder: string): ChildProcess {
  const settings = ['[global]', 'error_log=/dev/null', 'daemonize=no', '[www]', `listen=${folder}/socket`]
  const pool = ['pm=static', 'pm.max_children=1', 'clear_env=yes', 'user=nobody', 'listen.mode=0666']
  writeFileSync(path.join(folder, 'fpm.conf'), [...settings, ...pool, ''].join('\n'))
  return spawn(program, ['-R', '-d', 'allow_url_fopen=0', '-y', path.join(folder, 'fpm.conf')], { stdio: 'ignore' })
}

const record = (type: number, content: Buffer) =>
  Buffer.concat([Buffer.from([1, type, 0, 1, content.length >> 8, content.length & 255, 0, 0]), content])

const parameter = ([name, value]: [string, string]) =>
  Buffer.concat([Buffer.from([name.length, value.length]), Buffer.from(name + value)])

/** @param parameters shorter than 128 bytes @returns the program's response and its log messages, as one text */
export async function callFpm(folder: string, parameters: Record<string, string>): Promise<string> {
  const socket = connect(`${folder}/socket`)
  const [RESPONDER, BEGIN, PARAMETERS, INPUT] = [1, 1, 4, 5]
  socket.write(record(BEGIN, Buffer.from([0, RESPONDER, 0, 0, 0, 0, 0, 0])))
  socket.write(record(PARAMETERS, Buffer.concat(Object.entries(parameters).map(parameter))))
  socket.write(record(PARAMETERS, Buffer.alloc(0)))
  socket.write(record(INPUT, Buffer.alloc(0)))
  return (await buffer(socket)).toString('latin1')
}
