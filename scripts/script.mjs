/** What scripts that people call have in common. */

export const say = (text = '') => process.stdout.write(`${text}\n`)

export const countText = (count, one) => `${count.toLocaleString('en')} ${count === 1 ? one : `${one}s`}`

/**
 * Runs a script with its arguments. A fault is a line for its user. An interrupted script does what is due at `exit`.
 *
 * @param {(args: string[]) => Promise<unknown>} main
 * @param {() => void} [interrupt] what a first signal does; by default the script ends
 */
export function runMain(main, interrupt = () => process.exit(130)) {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, interrupt)
  return main(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  })
}
