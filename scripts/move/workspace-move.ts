/**
 * The move of a workspace to another database, as statements that any client with access to both can run: through D1's
 * API, or through the local service. During the move, the workspace is read-only. The move may be interrupted at any
 * moment: the workspace is complete in the database that its row names, and the next command continues or starts over.
 *
 * The row has a `move_id`, the ID of the command that moves the workspace. Each statement that changes a copy first
 * checks it, and no command switches databases within the wait after another one has begun. Therefore, if there are two
 * commands, only the later one has an effect.
 */
import type { SQL } from 'drizzle-orm'
import { nextPurge, unitsOf } from '#worker/platform/workspace-rows'
import { countUnindexed, insertPage } from '../database/copy-sql.ts'
import { digestOf, oneRow, pagesOf, type Run, runStatement } from '../database/units.ts'

/** Runs one statement in the database of a binding. */
export type Query = (binding: string, ...statement: Parameters<Run>) => ReturnType<Run>

/** The columns of the workspace's row that a move needs. */
interface Row {
  database_binding: string
  state: string
  move_target: string | null
  old_database: string | null
}

interface MoveOptions {
  query: Query
  workspaceId: string
  /** Binding of the database. */
  target: string
  /** When every isolate knows the workspace's state and database, and no earlier request is still running. */
  waitMs: number
  say: (text: string) => void
}

/** How often to restart the copy after a change. */
const ATTEMPTS = 5

const NOW = "cast(unixepoch('subsec') * 1000 as integer)"

export class WorkspaceMove {
  readonly #query: Query
  readonly #workspaceId: string
  readonly #target: string
  readonly #waitMs: number
  readonly #say: (text: string) => void
  readonly #id = crypto.randomUUID()

  constructor({ query, workspaceId, target, waitMs, say }: MoveOptions) {
    this.#query = query
    this.#workspaceId = workspaceId
    this.#target = target
    this.#waitMs = waitMs
    this.#say = say
  }

  /** @throws Error if the workspace cannot be moved, or another command has taken over the move */
  async run(): Promise<void> {
    const row = await this.#begin()
    if (row === undefined) return
    if (row.move_target !== this.#target) return this.#cancel(row)
    const isSwitched = row.database_binding === this.#target
    const source = isSwitched ? row.old_database : row.database_binding
    if (source === null) throw new Error('The row of the workspace does not name its old database.')
    await this.#wait('every isolate knows that the workspace is read-only')
    if (isSwitched && (await this.#isFinished(source))) return
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if (await this.#copy(source)) {
        await this.#switchTo(this.#target, source)
        await this.#wait('every isolate knows the new database')
        if (await this.#isFinished(source)) return
      }
    }
    throw new Error(
      'The copy still differs after several attempts. The workspace stays where it is. Run the command again.',
    )
  }

  /** Runs a statement on the row of the workspace. `?1` is its ID. @returns the row that the statement returns */
  async #control<Result = Row>(sql: string, ...params: unknown[]): Promise<Result | undefined> {
    return (await this.#query('DB', sql, [this.#workspaceId, ...params]))[0] as Result | undefined
  }

  #in =
    (binding: string): Run =>
    (sql, params) =>
      this.#query(binding, sql, params)

  #rows = <Result>(binding: string, statement: SQL<Result>) => runStatement(this.#in(binding), statement)

  async #begin(): Promise<Row | undefined> {
    const present = await this.#control('select * from workspaces where workspace_id = ?1')
    if (present === undefined) throw new Error(`There is no workspace ${this.#workspaceId}.`)
    const { database_binding: place, move_target: target, old_database: old, state } = present
    if (state === 'erasing' || state === 'erased') throw new Error(`The workspace is ${state}.`)
    const isHere = place === this.#target
    if (isHere && target === null) {
      this.#say(`The workspace is in ${place}.`)
      return undefined
    }
    if (target !== null && target !== this.#target && !isHere)
      throw new Error(`The workspace is being moved to ${target}. To cancel that, move it to ${place}, where it is.`)
    const row = await this.#control(
      `update workspaces set move_id = ?2, move_target = coalesce(move_target, ?3),
          state_after_move = coalesce(state_after_move, state), state = iif(state = 'active', 'read_only', state),
          state_changed_at = ${NOW}
        where workspace_id = ?1 and state in ('active', 'read_only', 'suspended') and database_binding = ?4
          and move_target is ?5 returning *`,
      this.#id,
      this.#target,
      place,
      target,
    )
    if (row === undefined) throw new Error('The workspace was changed in the meantime. Run the command again.')
    // The row remembers one old copy, so the copy of an earlier move is deleted first.
    if (old !== null && !(isHere && target === place)) await this.#clear(old)
    return row
  }

  /** Ends a move that did not reach the switch. Its copy is deleted like an old copy. */
  async #cancel({ move_target: target, database_binding: place }: Row): Promise<void> {
    await this.#mine(
      `update workspaces set old_database = ?3, moved_at = ${NOW} where workspace_id = ?1 and move_id = ?2`,
      target,
    )
    await this.#end()
    this.#say(`The move to ${target} is cancelled. The workspace is in ${place}.`)
  }

  /** Updates the row if this command still moves the workspace. */
  async #mine(sql: string, ...params: unknown[]): Promise<void> {
    const row = await this.#control(`${sql} returning database_binding`, this.#id, ...params)
    if (row === undefined) throw new Error('Another command is moving the workspace.')
  }

  /** @returns the database of the workspace */
  async #requireMine(): Promise<string> {
    const row = await this.#control(
      'select database_binding from workspaces where workspace_id = ?1 and move_id = ?2',
      this.#id,
    )
    if (row === undefined) throw new Error('Another command is moving the workspace.')
    return row.database_binding
  }

  async #wait(until: string): Promise<void> {
    for (;;) {
      const { rest = 0 } =
        (await this.#control<{ rest: number }>(
          `select state_changed_at + ?2 - ${NOW} as rest from workspaces where workspace_id = ?1`,
          this.#waitMs,
        )) ?? {}
      if (rest <= 0) return
      this.#say(`Waiting ${Math.ceil(rest / 1000)} seconds, until ${until} ...`)
      await new Promise((resolve) => setTimeout(resolve, rest))
    }
  }

  /** Deletes a copy of the workspace. */
  async #clear(binding: string): Promise<void> {
    const database = { one: <Result>(query: SQL<Result>) => oneRow(this.#in(binding), query) }
    for (;;) {
      if ((await this.#requireMine()) === binding) throw new Error(`The workspace is in ${binding}.`)
      const statements = await nextPurge(database, this.#workspaceId)
      if (statements === null) return
      for (const statement of statements) await this.#rows(binding, statement)
    }
  }

  /** Copies all rows. @returns whether the two databases are equal afterwards */
  async #copy(source: string): Promise<boolean> {
    const target = this.#target
    await this.#clear(target)
    let count = 0
    for (const unit of unitsOf(this.#workspaceId)) {
      for await (const page of pagesOf(this.#in(source), unit)) {
        await this.#requireMine()
        for (const statement of insertPage(unit, page.rows)) await this.#rows(target, statement)
        count += page.n
      }
    }
    this.#say(`Copied ${count.toLocaleString('en')} rows to ${target}.`)
    return this.#isSame(source)
  }

  async #isSame(source: string): Promise<boolean> {
    for (const unit of unitsOf(this.#workspaceId)) {
      const [original, copy] = await Promise.all([
        digestOf(this.#in(source), unit),
        digestOf(this.#in(this.#target), unit),
      ])
      const { n } = unit.table.searched ? await oneRow(this.#in(this.#target), countUnindexed(unit)) : { n: 0 }
      if (original.digest === copy.digest && n === 0) continue
      this.#say(`The copy of ${unit.name} differs.`)
      return false
    }
    return true
  }

  async #switchTo(binding: string, oldDatabase: string): Promise<void> {
    await this.#mine(
      `update workspaces set database_binding = ?3, old_database = ?4, moved_at = ${NOW}, state_changed_at = ${NOW}
        where workspace_id = ?1 and move_id = ?2`,
      binding,
      oldDatabase,
    )
    this.#say(`The workspace is in ${binding} now.`)
  }

  /** After the switch: ends the move if the two databases are still equal. Otherwise switches back. */
  async #isFinished(source: string): Promise<boolean> {
    if (await this.#isSame(source)) {
      await this.#end()
      this.#say(`Moved. ${source} keeps its copy for a day.`)
      return true
    }
    await this.#switchTo(source, this.#target)
    await this.#wait('every isolate knows that the workspace is in its old database')
    return false
  }

  #end(): Promise<void> {
    return this.#mine(
      `update workspaces set state = state_after_move, state_after_move = null, move_target = null, move_id = null,
        state_changed_at = ${NOW} where workspace_id = ?1 and move_id = ?2`,
    )
  }
}
