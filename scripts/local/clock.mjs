/**
 * A clock of the Worker that can be set, to see what happens when time jumps: that of a machine is set back and forth
 * by a few minutes, and two machines differ. This is no part of what is deployed.
 */

const RealDate = Date
let offset = 0

/** `Date` with the clock that is set; everything else of it is the real one. */
class SetDate extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(SetDate.now())
    else super(...args)
  }

  static now() {
    return RealDate.now() + offset
  }
}

/** @param {number} ms how much the clock of the Worker is ahead of the real one; negative if it is behind */
export function setClock(ms) {
  offset = ms
  globalThis.Date = ms === 0 ? RealDate : SetDate
}
