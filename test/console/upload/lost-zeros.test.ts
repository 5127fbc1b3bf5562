import { describe, expect, it } from 'vitest'
import type { UploadClient } from '#console/upload/process/held-file'
import { findLostZeros } from '#console/upload/process/lost-zeros'
import type { Check } from '#console/upload/process/stage'
import { FileWork } from '#files/file-work'
import { savedAnswers } from '#files/saved-answers'
import { textWorkbook } from '#files/workbook/text-workbook'
import { rowsSentBy } from '../../files/files'

/** The catalog: its IDs have six digits. */
const CATALOG = new Map(Array.from({ length: 40 }, (_, at) => [String(at + 1).padStart(6, '0'), `Drug ${at + 1}`]))

interface Sent {
  body: readonly { medication_id: string; name: string }[]
}

/** A service with that catalog, or with one of other IDs. */
const serviceWith = (idOf: (id: string) => string = (id) => id) =>
  ({
    get: async () => ({ items: [...CATALOG.keys()].slice(0, 25).map((id) => ({ medication_id: idOf(id) })) }),
    post: async (_: string, { body }: Sent) => {
      const known = body.filter(({ medication_id: id }) => CATALOG.has(id))
      const updated = known.flatMap(({ medication_id: id, name }) =>
        CATALOG.get(id) === name ? [] : [{ id, name, fields: { name: [CATALOG.get(id), name] } }],
      )
      return { inserted: body.length - known.length, diff: { updated } }
    },
  }) as unknown as UploadClient

/** The catalog as saved by a spreadsheet program: one medication has another name, and one is new. */
const ROWS = [
  ['id', 'name'],
  ...[...CATALOG].map(([id, name]) => [String(Number(id)), id === '000007' ? 'Renamed 7' : name]),
  ['41', 'New'],
]

const KINDS = {
  CSV: () => new File([ROWS.map((cells) => `${cells.join(',')}\n`).join('')], 'drugs.csv'),
  '.xlsx': () => new File([textWorkbook([{ name: 'Drugs', rows: ROWS }])], 'drugs.xlsx'),
}

const CHECK = { total: 41, inserted: 41 } as Check
const { signal } = new AbortController()

describe.each(Object.entries(KINDS))('IDs that have lost their zeros, in %s', (_, fileOf) => {
  it("are detected by comparison with the catalog's, including rows with another name there", async () => {
    const work = new FileWork()
    await work.open(fileOf(), 'medication', {})
    const lost = await findLostZeros(serviceWith(), 'medication', work.numericIds(), CHECK, signal)
    const renamed = [{ row: 8, id: '000007', name: 'Renamed 7', was: 'Drug 7' }]
    expect(lost).toEqual({ digits: 6, example: '1', compared: 41, known: 40, renamed })
  })

  it('are padded in the whole column once the user confirms it, also in the next file with these columns', async () => {
    const work = new FileWork()
    const opening = await work.open(fileOf(), 'medication', {})
    const reading = { sheet: opening.sheets?.chosen, idDigits: 6 }
    const { file } = work.read('medication', reading)
    const rows = await rowsSentBy(work)
    expect([rows[7], rows.at(-1)]).toEqual(['000007,Renamed 7', '000041,New'])
    const next = new FileWork()
    const again = await next.open(fileOf(), 'medication', { memory: [savedAnswers(file)] })
    expect(again).toMatchObject({ file: { answers: { idDigits: 6 } } })
    expect((await rowsSentBy(next)).at(-1)).toBe('000041,New')
  })
})

it.each([
  ['most ids are known already', CHECK.total - 1, serviceWith()],
  ['the ids of the catalog differ in length', 0, serviceWith((id) => String(Number(id)))],
])('lost zeros cause no question if %s', async (_, known, client) => {
  const work = new FileWork()
  await work.open(KINDS.CSV(), 'medication', {})
  const check = { ...CHECK, inserted: CHECK.total - known }
  expect(await findLostZeros(client, 'medication', work.numericIds(), check, signal)).toBeUndefined()
})
