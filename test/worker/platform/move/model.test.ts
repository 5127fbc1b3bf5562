import { beforeEach, describe, expect, it, vi } from 'vitest'
import { type Binding, Model, type Process } from './model'

/**
 * A model checker of moves: it runs the real statements on real databases, one call to a database at a time, in the
 * orders that matter, and looks at the databases after each call (`Model.check`). A reader with any remembered database
 * is part of that look. Each schedule begins with a workspace in `DB` and a call that moves it to `DB_2`. A point is
 * decisive if the state of the move changes there: where the workspace is, the step, the generation or a fence.
 *
 * - A write comes before each call that writes: in one schedule before all of them, and alone while writes are taken.
 * - Another call, or a write and a cancelling call, runs at each decisive point. The first call is late from then on. The
 *   write that it sent last arrives again in each state that the other one makes, as after a crash.
 * - The scheduled run, a writer who has waited, or a move there and back with writes comes at decisive points.
 * - A second call reads where the workspace is, after each change of that, and goes on when the first has ended.
 * - The call dies at each decisive write, which arrives after the next call took over, and then again before each
 *   write.
 * - Each write of a move there, of the deletion of what it left behind, of a move back and of another one there arrives
 *   again in each later state.
 *
 * Not covered: three calls at once, several workspaces, copies of more than one page.
 */

interface Shape {
  /** Number of calls to databases. */
  calls: number
  /** Numbers of the calls that write. */
  writes: number[]
  /** Numbers of the calls that change the state of the move, as the databases show it. */
  decisive: number[]
  /** Of those, the calls that change what the control database says. */
  stored: number[]
  /** The call that makes the source refuse writes. */
  closing: number
}

/** The shape of a call of the move, which is the same each time. */
async function shapeOf(): Promise<Shape> {
  const model = await Model.begin('shape')
  const process = model.mover('DB_2')
  const shape: Shape = { calls: 0, writes: [], decisive: [], stored: [], closing: 0 }
  for (let call = await process.next(); call; call = await process.next(), shape.calls++) {
    const { state, stored } = model
    await process.step()
    if (!call.writes) continue
    await model.check('shape', call.binding)
    shape.writes.push(shape.calls)
    if (state !== model.state) shape.decisive.push(shape.calls)
    if (stored !== model.stored) shape.stored.push(shape.calls)
    if (model.refusesWrites && shape.closing === 0) shape.closing = shape.calls
  }
  return shape
}

/** Of the call that all schedules begin with. */
let move: Shape

beforeEach(async () => {
  // The clock stands still: under load, a schedule would take longer than the two minutes after which a move is over.
  vi.useFakeTimers({ toFake: ['Date'] })
  move ??= await shapeOf()
})

const refusingPoints = () => move.decisive.filter((at) => at > move.closing)

/** Sends the writes again that a call has sent, or was about to send. What comes of that is seen in the databases. */
async function repeat(model: Model, calls: readonly (Process['sent'][number] | undefined)[]): Promise<void> {
  const bindings = new Set<Binding>()
  for (const call of calls) {
    if (!call?.writes) continue
    await call.send().catch(() => undefined)
    bindings.add(call.binding)
  }
  for (const binding of bindings) await model.check('repeats', binding)
}

/** Sends these again before a write of another process, once in each state of the move. */
function repeating(model: Model, calls: () => readonly (Process['sent'][number] | undefined)[]) {
  let state = ''
  return async ({ writes }: { writes: boolean }) => {
    if (!writes || model.state === state) return
    await repeat(model, calls())
    state = model.state
  }
}

/** A whole call, and a write. @param late the call of another process that arrives again */
async function callTo(model: Model, target: Binding, late?: Process['sent'][number]): Promise<void> {
  await model.run(`call to ${target}`, model.mover(target), { before: repeating(model, () => [late]) })
  await model.write()
}

const lastWriteOf = ({ sent }: Process) => sent.findLast(({ writes }) => writes)

type Interlude = (model: Model, first: Process) => Promise<unknown>

/** What comes between, and the points of the call at which it comes. */
const INTERLUDES: Record<string, [() => number[], Interlude]> = {
  'a write': [() => move.writes.filter((at) => at <= move.closing), (model) => model.write()],
  'another call': [() => move.decisive, (model, first) => callTo(model, 'DB_2', lastWriteOf(first))],
  // Before the move has begun there is nothing to cancel.
  'a cancelling call': [
    () => move.decisive.slice(1),
    async (model, first) => {
      await model.write()
      await callTo(model, 'DB', lastWriteOf(first))
    },
  ],
  'a move there and back': [
    () => [move.decisive[0] ?? 0, refusingPoints()[0] ?? 0, move.decisive.at(-1) ?? 0],
    async (model) => {
      await callTo(model, 'DB_2')
      await callTo(model, 'DB')
    },
  ],
  'the scheduled run': [
    () => move.decisive.slice(1),
    async (model) => {
      await model.wait()
      await model.run('scheduled run', model.scheduledRun())
      await model.write()
    },
  ],
  'a writer who has waited': [
    () => [refusingPoints()[0] ?? 0, move.decisive.at(-1) ?? 0],
    async (model) => {
      await model.wait()
      await model.write()
    },
  ],
}

async function interrupted(name: string, at: number, interlude: Interlude) {
  const model = await Model.begin(`${name} before call ${at}`)
  const process = model.mover('DB_2')
  await model.run('move', process, { upTo: at })
  await interlude(model, process)
  await model.run('move', process)
  await model.end()
}

describe('a move', { timeout: 240_000 }, () => {
  it.each(Object.entries(INTERLUDES))('loses nothing when %s comes between', async (name, [points, run]) => {
    expect(points()).not.toEqual([])
    for (const at of points()) await interrupted(name, at, run)
  })

  it('takes writes until it copies, and refuses them until it has ended', async () => {
    const model = await Model.begin('many writes')
    const process = model.mover('DB_2')
    const taken: boolean[] = []
    const before = async ({ writes }: { writes: boolean }) => {
      if (writes) taken.push(await model.write())
    }
    await model.run('move', process, { before })
    // The last call ends the move, whose databases are settled then.
    const open = move.writes.filter((at) => at <= move.closing).length
    expect(taken).toEqual(taken.map((_, n) => n < open || n === taken.length - 1))
    expect(taken.length).toBeGreaterThan(open + 1)
    await model.end()
  })

  it.each(['DB_2', 'DB'] as const)('loses nothing when a call to %s stops before it takes over', async (target) => {
    // The first call of the second one reads where the workspace is. After the last change nothing is left to do.
    for (const first of move.stored.slice(0, -1)) {
      const model = await Model.begin(`first stops after ${first}, second has read`)
      const processes = [model.mover('DB_2'), model.mover(target)] as const
      await model.run('first', processes[0], { upTo: first + 1 })
      await model.run('second', processes[1], { upTo: 1 })
      await model.write()
      await model.run('first', processes[0])
      await model.write()
      await model.run('second', processes[1])
      await model.end()
    }
  })

  it('loses nothing when it dies at a decisive write, which arrives late', async () => {
    for (const at of move.decisive) {
      const model = await Model.begin(`dies at ${at}`)
      const dead = model.mover('DB_2')
      await model.run('dead', dead, { upTo: at })
      const late = [await dead.next()]
      let written = 0
      const before = async ({ writes }: { writes: boolean }) => {
        if (!writes || written++ === 0) return
        if (written === 2) await model.write()
        await repeat(model, late)
      }
      await model.run('next', model.mover('DB_2'), { before })
      await repeat(model, late)
      await model.write()
      await repeat(model, late)
      await model.end()
    }
  })

  it('is not disturbed by any of its writes that arrives again, nor by those of earlier moves', async () => {
    const model = await Model.begin('repeats')
    const processes: Process[] = []
    // Those of the earliest come last, so that nothing repairs what they do.
    const before = repeating(model, () => [...processes].reverse().flatMap(({ sent }) => sent))
    const run = async (name: string, process: Process) => {
      processes.push(process)
      await model.run(name, process, { before })
      expect(await model.write(), name).toBe(true)
    }
    await run('to DB_2', model.mover('DB_2'))
    await run('purge of DB', model.purger('DB'))
    await run('to DB', model.mover('DB'))
    await run('to DB_2 again', model.mover('DB_2'))
    await model.end()
  })
})
