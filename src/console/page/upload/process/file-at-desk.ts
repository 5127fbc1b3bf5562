import type { CellChoices } from '#import/cells/cell-choices'
import type { FileReading } from '#import/file-work'
import { normalizedHeader } from '#records/csv/header'
import type { RecordTypeName } from '#records/record-type'
import type { ColumnMemory } from './remembered-columns'
import type { FileDesk, RemoteWork } from './remote-work'
import type { UploadState } from './stage'

/** One file that was chosen, with the worker that reads it, and how it is to be read. */
export class FileAtDesk {
  readonly file: File
  readonly #type: RecordTypeName
  readonly #columns: ColumnMemory
  #desk: FileDesk | undefined
  #sheets: UploadState['sheets']
  /** Whether the person has said that the columns of another type are meant for this one. */
  #keepsType = false

  /** @param columns where the person has sent the columns of earlier files */
  constructor(file: File, type: RecordTypeName, columns: ColumnMemory) {
    this.file = file
    this.#type = type
    this.#columns = columns
  }

  /** The work on the rows of the file. @throws Error before the file is opened */
  get work(): RemoteWork {
    if (this.#desk === undefined) throw new Error('the file is not open')
    return this.#desk.work
  }

  /** Of a workbook that is open. */
  get sheets(): UploadState['sheets'] {
    return this.#sheets
  }

  /** Opens the file, and reads it. @throws Error whose message says why it cannot be used */
  async open(startDesk: () => FileDesk): Promise<FileReading> {
    this.#desk = startDesk()
    const { sheets: names, ...opening } = await this.work.open(this.file, this.#type, this.#reading())
    const chosen = names?.[0]
    if (names !== undefined && chosen !== undefined) this.#sheets = { names, chosen }
    if ('fault' in opening) throw new Error(opening.fault)
    return opening
  }

  /** Reads it once more. @param choices what is written of cells that hold something else than they show */
  readAgain(choices: CellChoices): Promise<FileReading> {
    return this.#read(choices)
  }

  /** Reads another sheet of the workbook. */
  changeSheet(chosen: string): Promise<FileReading> {
    if (this.#sheets !== undefined) this.#sheets = { ...this.#sheets, chosen }
    return this.#read()
  }

  /** Sends a column to another field, for this file and later ones; null leaves it out. */
  mapColumn(header: string, field: string | null): void {
    this.#columns.write({ ...this.#columns.read(), [normalizedHeader(header)]: field })
  }

  /** From now on the file is of the chosen type, whatever its columns look like. */
  keepType(): void {
    this.#keepsType = true
  }

  end(): void {
    this.#desk?.end()
  }

  #read(choices?: CellChoices): Promise<FileReading> {
    return this.work.read(this.#type, this.#reading(choices))
  }

  #reading(choices?: CellChoices) {
    return {
      sheet: this.#sheets?.chosen,
      mapping: this.#columns.read(),
      isOfType: this.#keepsType,
      ...(choices && { choices }),
    }
  }
}
