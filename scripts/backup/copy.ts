/**
 * Copies a deployed database to this machine in pages while its service continues to run. Rows that belong together
 * form a group: a catalog, the other tables of a workspace, or the control database. If a group changes while it is
 * read, it is read again.
 */
import { insertPage } from '../database/copy-sql.ts'
import type { Sqlite } from '../database/sqlite.ts'
import {
  digestOf,
  pagesOf,
  type Run,
  runStatement,
  type Unit,
  unitsIn,
  withRows,
  workspacesIn,
} from '../database/units.ts'

const ATTEMPTS = 5

/** Columns on which no other row depends. If only these change, the group is not read again. */
const USE = ['last_used_at', 'webhook_tests', 'testing_until', 'last_status', 'last_attempt_at', 'deliveries']
const MESSAGES = 'webhook_messages'

/** A unit without the columns that record its use. */
const withoutUse = ({ table, ...unit }: Unit): Unit => ({
  ...unit,
  table: { ...table, columns: table.columns.filter((name) => !USE.includes(name)) },
})

interface Group {
  name: string
  units: readonly Unit[]
  /** The units that change whenever the group changes. */
  marks: readonly Unit[]
}

/** @param units of a workspace */
function groupsOf(workspaceId: string, units: readonly Unit[]): Group[] {
  const types = new Set(units.flatMap(({ catalog }) => catalog?.type ?? []))
  const rest = units.filter(({ catalog }) => catalog === null)
  const catalogs = Array.from(types, (type) => {
    const ofType = units.filter(({ catalog }) => catalog?.type === type)
    return {
      name: `The catalog ${type} of the workspace ${workspaceId}`,
      units: ofType,
      // The row of the catalog contains its revision and counters.
      marks: ofType.filter(({ table }) => table.name === 'catalogs'),
    }
  })
  const marks = rest.filter(({ name }) => name !== MESSAGES).map(withoutUse)
  return [...catalogs, { name: `The data of the workspace ${workspaceId} outside its catalogs`, units: rest, marks }]
}

async function copyGroup(run: Run, copy: Sqlite, { name, units, marks }: Group): Promise<void> {
  const look = async () => {
    const present = await withRows(run, units)
    const digests: unknown[] = []
    for (const mark of marks)
      if (present.some((unit) => unit.name === mark.name)) digests.push(await digestOf(run, mark))
    return { present, state: JSON.stringify([present.map((unit) => unit.name), digests]) }
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { present, state } = await look()
    if (present.length === 0) return
    const isWhole = await copy.transaction(async () => {
      for (const unit of present) {
        for await (const { rows } of pagesOf(run, unit)) {
          // The other statements fill the search index, which a backup does not contain.
          const [insert] = insertPage(unit, rows)
          await runStatement(copy.query, insert)
        }
      }
      return (await look()).state === state
    })
    if (isWhole) return
  }
  throw new Error(
    `${name} changed each of the ${ATTEMPTS} times that it was read. Nothing was written. Run the command again when ` +
      'fewer programs write to it, or make the workspace read_only in the meantime. See docs/backups.md.',
  )
}

/**
 * @param run runs a statement in the deployed database
 * @param copy a database with the same tables, empty and without triggers
 * @param workspaces the workspaces of this database; undefined for the control database, which lists them
 * @throws Error if a group changed during every attempt
 */
export async function copyRows(run: Run, copy: Sqlite, workspaces?: readonly string[]): Promise<void> {
  const units = await unitsIn(copy.query)
  if (workspaces === undefined)
    await copyGroup(run, copy, {
      name: 'The list of workspaces, keys and members',
      units: units.control,
      marks: units.control.map(withoutUse),
    })
  for (const workspaceId of workspaces ?? workspacesIn(copy, 'DB'))
    for (const group of groupsOf(workspaceId, units.of(workspaceId))) await copyGroup(run, copy, group)
}
