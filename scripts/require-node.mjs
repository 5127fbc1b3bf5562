/** Loaded before `npm start`: if Node is too old, prints what to do, and exits with 1. */

/** The oldest supported Node, as in `engines` of `scripts/node/package.json`. */
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
