/**
 * The files that rows of the databases refer to: their bytes are in the bucket, and next to the SQL of a backup. They
 * are copied one by one, and their SHA-256 is compared.
 */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Read } from '../database/migrate.ts'
import type { Sqlite } from '../database/sqlite.ts'
import { type Bucket, type ReadableBucket, readIfThere } from './bucket.ts'

/** Object keys in the bucket, with the SHA-256 of the bytes, and the condition for the row that names the object. */
const FILES = `
  SELECT workspace_id || '/' || document_id AS key, sha256, content_type, 'documents' AS "table",
    printf('workspace_id = %Q AND document_id = %Q', workspace_id, document_id) AS condition
  FROM documents
  UNION ALL
  SELECT '_uploads/' || upload_id, sha256, content_type, 'uploads',
    printf('upload_id = %Q AND outcome = %Q', upload_id, outcome)
  FROM uploads WHERE outcome = 'held'
  ORDER BY key`

/** The format of a key. Nothing else may become a path. */
const KEY = /^(?:_uploads|[A-Za-z0-9][\w.-]*)\/[A-Za-z0-9][\w.-]*$/

export interface StoredFile {
  key: string
  sha256: string
  contentType: string
  table: string
  /** Finds the row that names the object. */
  condition: string
}

/** The files that the rows of a database refer to. */
export const filesOf = ({ read }: Sqlite): StoredFile[] =>
  read(FILES).map((row) => {
    const [key = '', sha256 = '', contentType = '', table = '', condition = ''] = row.map((value) =>
      String(value ?? ''),
    )
    if (!KEY.test(key)) throw new Error(`The database names a file that the service cannot have stored: ${key}.`)
    return { key, sha256, contentType, table, condition }
  })

/** The folder with the files of a backup: `catalog.files` for `catalog.sql`. */
export function folderOf(file: string): string {
  const { dir, name } = path.parse(file)
  return path.join(dir, `${name}.files`)
}

/** The path of a file in that folder. */
export const pathIn = (folder: string, { key }: StoredFile): string => path.join(folder, ...key.split('/'))

/** Rows per query: D1 accepts up to 100 columns. */
const ROWS_PER_QUERY = 90

/** The files that rows of a database still refer to. */
export async function filesInUse(read: Read, files: readonly StoredFile[]): Promise<StoredFile[]> {
  const named: StoredFile[] = []
  for (let start = 0; start < files.length; start += ROWS_PER_QUERY) {
    const some = files.slice(start, start + ROWS_PER_QUERY)
    const columns = some.map(
      ({ table, condition }, index) => `EXISTS (SELECT 1 FROM ${table} WHERE ${condition}) AS row_${index}`,
    )
    const [present = []] = await read(`SELECT ${columns.join(', ')}`)
    named.push(...some.filter((_, index) => present[index] === 1))
  }
  return named
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

interface CopyOutcome {
  /** Number of copied files. */
  files: number
  missing: StoredFile[]
  /** Files whose bytes differ from those that were stored. */
  damaged: StoredFile[]
}

async function copy(
  files: readonly StoredFile[],
  read: (file: StoredFile) => Promise<Buffer | undefined>,
  write: (file: StoredFile, bytes: Buffer) => Promise<void>,
): Promise<CopyOutcome> {
  const outcome: CopyOutcome = { files: 0, missing: [], damaged: [] }
  for (const file of files) {
    const bytes = await read(file)
    if (bytes === undefined) outcome.missing.push(file)
    else if (sha256(bytes) !== file.sha256) outcome.damaged.push(file)
    else {
      await write(file, bytes)
      outcome.files++
    }
  }
  return outcome
}

/**
 * Copies the files that a database refers to into a folder that only its owner can read. If a file was deleted in the
 * meantime, deletes its row from the copy of the database.
 *
 * @param rows a copy of the database
 * @param readNow queries the present state of the database
 */
export async function backUpFiles(
  rows: Sqlite,
  readNow: Read,
  bucket: ReadableBucket,
  folder: string,
): Promise<CopyOutcome> {
  const outcome = await copy(
    filesOf(rows),
    ({ key }) => bucket.get(key),
    async (file, bytes) => {
      const target = pathIn(folder, file)
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 })
      await writeFile(target, bytes, { mode: 0o600, flush: true })
    },
  )
  const missing = outcome.missing.length === 0 ? [] : await filesInUse(readNow, outcome.missing)
  for (const { table, condition } of outcome.missing.filter((file) => !missing.includes(file)))
    rows.run(`DELETE FROM ${table} WHERE ${condition}`)
  return { ...outcome, missing }
}

/** Reads a file in the folder of a backup. */
export const readIn = (folder: string) => (file: StoredFile) => readIfThere(pathIn(folder, file))

/** From a folder into a bucket. */
export const copyIn = (files: readonly StoredFile[], folder: string, bucket: Bucket): Promise<CopyOutcome> =>
  copy(files, readIn(folder), ({ key, contentType }, bytes) => bucket.put(key, bytes, contentType))

/** Reads files and compares their SHA-256. */
export const verify = (files: readonly StoredFile[], read: Parameters<typeof copy>[1]): Promise<CopyOutcome> =>
  copy(files, read, async () => undefined)

/** The errors of a copy as lines of a message. @param place where the files are */
export const faultsOf = ({ missing, damaged }: CopyOutcome, place?: string): string[] => {
  const where = place === undefined ? '' : ` in the ${place}`
  return Object.entries({ missing, damaged }).flatMap(([fault, files]) =>
    files.map(({ table, key }) => `${fault}${where}: ${table} ${key}`),
  )
}
