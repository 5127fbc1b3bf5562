import { beforeEach, describe, expect, it } from 'vitest'
import { type Binding, Model, type Process } from './model'

/**
 * A model checker of moves: it runs the real statements on real databases, one call to a database at a time, in the
 * orders that matter, and looks at the databases after each call (`Model.check`). A reader with any remembered database
 * is part of that look. Each schedule begins with a workspace in `DB` and a call that moves it to `DB_2`. A point is
 * decisive if the state of the move changes there: where the workspace is, the step, the attempt or a fence.
 *
 * - A write happens before each call that writes. In between the move only reads.
 * - Another call, or a cancelling one, runs at each decisive point, and after the first read. What the first call had
 *   read by then does not matter any more, because its next write is late.
 * - A move there and back with writes, the scheduled run, or a writer who has waited comes at each decisive point at which
 *   writes are refused; the first also after the first read.
 * - Two calls stop, the first at each decisive point and the second before it takes over. Then a write happens, and both
 *   go on in the other order. If the second one stops later, the first one is late with a single write:
 * - The call dies at each decisive write, which arrives at once, after the next call took over, or after its end. From
 *   then on it arrives again before each write.
 * - Each write of a move there and back arrives again before each later write.
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
}

/** The shape of a call of the move, which is the same each time. */
async function shapeOf(): Promise<Shape> {
  const model = await Model.begin('shape')
  const process = model.mover('DB_2')
  const shape: Shape = { calls: 0, writes: [], decisive: [] }
  for (let call = await process.next(); call; call = await process.next(), shape.calls++) {
    const before = model.state
    await process.step()
    await model.check('shape')
    if (call.writes) shape.writes.push(shape.calls)
    if (before !== model.state) shape.decisive.push(shape.calls)
  }
  return shape
}

/** Of the call that all schedules begin with. */
let move: Shape

beforeEach(async () => {
  move ??= await shapeOf()
})

const callTo = async (model: Model, target: Binding) => {
  await model.run(`call to ${target}`, model.mover(target))
  await model.write()
}

const decisivePoints = () => [1, ...move.decisive]

/** Where writes are refused: from the step `closing` on. */
const refusingPoints = () => [...move.decisive.slice(4), move.calls]

/** What comes between, and the points of the call at which it comes. */
const INTERLUDES: Record<string, [() => number[], (model: Model) => Promise<unknown>]> = {
  'a write': [() => move.writes, (model) => model.write()],
  'another call': [decisivePoints, (model) => callTo(model, 'DB_2')],
  'a cancelling call': [decisivePoints, (model) => callTo(model, 'DB')],
  'a move there and back': [
    () => [1, ...refusingPoints()],
    async (model) => {
      await callTo(model, 'DB_2')
      await callTo(model, 'DB')
    },
  ],
  'the scheduled run': [
    refusingPoints,
    async (model) => {
      await model.wait()
      await model.run('scheduled run', model.reviver())
      await model.write()
    },
  ],
  'a writer who has waited': [
    refusingPoints,
    async (model) => {
      await model.wait()
      await model.write()
    },
  ],
}

async function interrupted(name: string, at: number, interlude: (model: Model) => Promise<unknown>) {
  const model = await Model.begin(`${name} before call ${at}`)
  const process = model.mover('DB_2')
  await model.run('move', process, { upTo: at })
  await interlude(model)
  await model.run('move', process)
  await model.end()
}

/** Sends the writes again that a call has sent, or was about to send. What comes of that is seen in the databases. */
async function repeat(model: Model, writes: readonly Process['sent'][number][]): Promise<void> {
  for (const call of writes) await call.send().catch(() => undefined)
  await model.check('repeats')
}

describe('a move', { timeout: 240_000 }, () => {
  it.each(Object.entries(INTERLUDES))('loses nothing when %s comes between', async (name, [points, run]) => {
    for (const at of points()) await interrupted(name, at, run)
  })

  it.each(['DB_2', 'DB'] as const)(
    'loses nothing when a call to %s stops before it takes over',
    async (target) => {
      // The first call of the second one reads where the workspace is.
      for (const first of move.decisive.slice(1)) {
        const model = await Model.begin(`first stops before ${first}, second has read`)
        const processes = [model.mover('DB_2'), model.mover(target)] as const
        await model.run('first', processes[0], { upTo: first })
        await model.run('second', processes[1], { upTo: 1 })
        await model.write()
        await model.run('first', processes[0])
        await model.write()
        await model.run('second', processes[1])
        await model.end()
      }
    },
  )

  it('loses nothing when it dies at a decisive write, which arrives late', async () => {
    for (const at of move.decisive) {
      for (const arrives of [0, 1, Number.POSITIVE_INFINITY]) {
        const model = await Model.begin(`dies at ${at}, arrives after ${arrives} writes`)
        const dead = model.mover('DB_2')
        await model.run('dead', dead, { upTo: at })
        const late = [await dead.next()].filter((call) => call !== undefined)
        let written = 0
        const before = async ({ writes }: { writes: boolean }) => {
          if (!writes || written++ < arrives) return
          if (written === arrives + 1) await model.write()
          await repeat(model, late)
        }
        await model.run('next', model.mover('DB_2'), { before })
        await repeat(model, late)
        await model.write()
        await repeat(model, late)
        await model.end()
      }
    }
  })

  it('is not disturbed by any of its writes that arrives again, nor by those of earlier moves', async () => {
    const model = await Model.begin('repeats')
    const processes: Process[] = []
    for (const target of ['DB_2', 'DB'] as const) {
      const process = model.mover(target)
      processes.push(process)
      const before = async ({ writes }: { writes: boolean }) => {
        if (writes)
          await repeat(
            model,
            processes.flatMap(({ sent }) => sent).filter((call) => call.writes),
          )
      }
      await model.run(`to ${target}`, process, { before })
      expect(await model.write()).toBe(true)
    }
    await model.end()
  })
})
