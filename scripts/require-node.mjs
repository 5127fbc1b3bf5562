/** Loaded before `npm start`: on a Node that is too old it says what to do, and ends with 1. */

/** The oldest Node of the tools, as in `engines` of `scripts/node/package.json`. */
const OLDEST = [22, 18]

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(
    `This needs Node ${OLDEST.join('.')} or later, and this is ${process.versions.node}.\n` +
      'Run it through npm, which uses the Node that `npm ci` has installed for it: `npm start`, `npm test`, ' +
      'or `npm exec -- node` and the script.\n',
  )
  process.exit(1)
}
