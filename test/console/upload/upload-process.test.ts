import { describe, expect, it } from 'vitest'
import { ServiceError } from '#client/service-error'
import type { ColumnMemory } from '#console/upload/process/column-memory'
import type { UploadClient } from '#console/upload/process/held-file'
import { UploadProcess } from '#console/upload/process/upload-process'
import type { WorkerHandle } from '#console/worker-handle'
import { headerKey } from '#files/columns/columns'
import { FileWork } from '#files/file-work'
import { textWorkbook } from '#files/workbook/text-workbook'
import { MAX_CSV_COLUMNS } from '#shared/limits'
import { medication } from '#shared/records/types/medication'
import { eventually } from '../../support/eventually'

type Work = WorkerHandle<FileWork>['work']

/** Makes the methods of the work from something that calls them. */
const methodsBy = (call: (method: keyof FileWork, args: unknown[]) => Promise<unknown>): Work =>
  new Proxy({} as Work, {
    get:
      (_, method) =>
      (...args: unknown[]) =>
        call(method as keyof FileWork, args),
  })

/** Calls of the work on files that have no answer yet. */
let openCalls = 0

/** The work on a file, here in place of a worker; what goes to and fro is copied as it would be. */
function workHere(): WorkerHandle<FileWork> {
  const work = new FileWork()
  return {
    work: methodsBy(async (method, args) => {
      const call = work[method] as (...args: unknown[]) => unknown
      openCalls++
      try {
        return structuredClone(await call.apply(work, args))
      } finally {
        openCalls--
      }
    }),
    failed: new Promise(() => undefined),
    end: () => undefined,
  }
}

const FILE = new File(['id,name\n1,Aspirin\n'], 'a.csv')

const DIFF = { inserted: [{ id: '1', name: 'Aspirin' }], updated: [], reactivated: [], deactivated: [] }

const ANSWER = {
  revision: 7,
  epoch: 'seventh',
  diff: DIFF,
  total: 1,
  ...{ inserted: 0, updated: 1, unchanged: 0, reactivated: 0, deactivated: 0 },
  active_before: 1,
  active_after: 1,
  warnings: [],
  emptied: {},
}

const REFUSED = new ServiceError('Refused', {
  status: 400,
  errors: [{ index: 1, field: 'name', code: 'not_allowed', msg: 'is not allowed', value: 'Aspirin' }],
})

const STALE = new ServiceError('The catalog has moved on', { status: 409 })

interface Sent {
  query: { type?: string }
  body?: object
  headers?: object
  signal: AbortSignal
}

/** A service whose answers the test gives when it wants. */
class SlowService {
  readonly requests: {
    path: string
    query: object
    headers: object | undefined
    signal: AbortSignal
    answer: (error?: Error, more?: object) => Promise<void>
  }[] = []

  /** As the page has it. */
  readonly client = {
    post: (path: string, { query, body, headers, signal }: Sent) =>
      new Promise((resolve, reject) => {
        // Ids that are looked up.
        if (Array.isArray(body)) return resolve({ ...ANSWER, updated: this.knowing === query.type ? body.length : 0 })
        if (body !== undefined) this.writes.push((body as { file: Blob }).file)
        const answer = async (error?: Error, more = {}) => {
          if (error) reject(error)
          else resolve({ ...ANSWER, ...query, ...('hold' in query && { upload_id: 'U' }), ...more })
          await settled()
        }
        this.requests.push({ path, query, headers, signal, answer })
      }),
    delete: async () => {
      this.discarded++
      return { deleted: true }
    },
  } as unknown as UploadClient

  /** Files that waited and were given up. */
  discarded = 0
  /** The catalog that knows the ids that are looked up. */
  knowing: string | undefined
  /** Requests that carry a file. */
  readonly writes: Blob[] = []

  /** The text of the file that was sent last. */
  sent(): Promise<string> {
    return new Response(this.writes.at(-1)!.stream().pipeThrough(new DecompressionStream('gzip'))).text()
  }

  get last() {
    return this.requests.at(-1)!
  }

  /** Waits until it has been asked so often. */
  async asked(times: number): Promise<void> {
    await eventually(() => expect(this.requests.length).toBeGreaterThanOrEqual(times))
  }
}

/** Everything has run that waits for nothing outside of the page and of the work on its file. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn = openCalls > 0 ? 0 : turn + 1)
    await new Promise((resolve) => setImmediate(resolve))
}

const NO_MEMORY: ColumnMemory = { read: () => ({}), remember: () => undefined, forget: () => undefined }

const begun = (startWorker = workHere) => {
  const service = new SlowService()
  return { service, upload: new UploadProcess(service.client, medication, NO_MEMORY, startWorker) }
}

/** The work on a file. @param before happens before each call, which waits for it and fails with it */
function workAfter(before: (method: keyof FileWork) => unknown): WorkerHandle<FileWork> {
  const here = workHere()
  const work = methodsBy(async (method, args) => {
    await before(method)
    return (here.work[method] as (...args: unknown[]) => Promise<unknown>)(...args)
  })
  return { ...here, work }
}

/** The work on a file, of which one method fails. */
const failingWork = (failing: keyof FileWork) =>
  workAfter((method) => {
    if (method === failing) throw new Error(`${method} failed`)
  })

const HELD = '/admin/catalogs/v1/{type}/uploads/{upload_id}/write'

/** A file that the service has been asked to check. */
async function sent(startWorker = workHere, file = FILE) {
  const { service, upload } = begun(startWorker)
  void upload.choose(file)
  await service.asked(1)
  return { service, upload }
}

/** A file that has been checked. */
async function checked(startWorker = workHere) {
  const { service, upload } = await sent(startWorker)
  await service.last.answer()
  return { service, upload }
}

describe('an upload', () => {
  it('is checked in the mode that is chosen while the file is being read', async () => {
    const { service, upload } = begun()
    const choosing = upload.choose(FILE)
    upload.changeMode('reconcile')
    await service.asked(1)
    const diff = { include: 'diff', examples: 1000 }
    expect(service.requests.map(({ query }) => query)).toEqual([
      { type: 'medication', mode: 'reconcile', dry_run: true, keep_missing: true, hold: true, ...diff },
    ])
    await service.last.answer()
    await choosing
    expect(upload.state()).toMatchObject({ mode: 'reconcile', stage: { is: 'checked', check: { mode: 'reconcile' } } })
  })

  it('shows nothing of a check that another one has replaced', async () => {
    const { service, upload } = await sent()
    void upload.changeMode('reconcile')
    await service.asked(2)
    const [first, second] = service.requests
    expect(first!.signal.aborted).toBe(true)
    await first!.answer()
    expect(upload.state().stage.is).toBe('checking')
    await second!.answer()
    expect(upload.state().stage).toMatchObject({ is: 'checked', check: { mode: 'reconcile' } })
  })

  it('is written on the state that was checked, and in its mode', async () => {
    const { service, upload } = await checked()
    void upload.commit(false)
    expect(upload.state().stage.is).toBe('writing')
    expect(service.last.path).toBe(HELD)
    expect(service.last.query).toEqual({ expected_revision: 7, expected_epoch: 'seventh', keep_missing: true })
    expect(service.writes).toHaveLength(1)
    void upload.changeMode('reconcile')
    expect(service.last.signal.aborted).toBe(false)
    await service.last.answer()
    expect(upload.state()).toMatchObject({ mode: 'upsert', stage: { is: 'written' } })
  })

  it('is sent once more if the service no longer has it, or could not keep it', async () => {
    const { service, upload } = await checked()
    void upload.commit(false)
    await service.last.answer(new ServiceError('The file no longer waits', { status: 410 }))
    expect(service.writes).toHaveLength(2)
    expect(service.last).toMatchObject({
      path: '/admin/datasets/v1/',
      query: { mode: 'upsert', expected_revision: 7, keep_missing: true },
    })
    await service.last.answer()
    expect(upload.state().stage.is).toBe('written')

    const second = await sent()
    await second.service.last.answer(new ServiceError('No room', { status: 503 }))
    expect(second.service.last.query).not.toHaveProperty('hold')
    await second.service.last.answer()
    expect(second.upload.state().stage).toMatchObject({ is: 'checked', isHeld: false })
    void second.upload.commit(false)
    await settled()
    expect(second.service.writes).toHaveLength(3)
  })

  it('is asked again for other decisions without being sent, and is given up with another file', async () => {
    const { service, upload } = await checked()
    void upload.changeKeeping(false)
    await settled()
    // The file that waits was sent with the first decision.
    expect(service.last).toMatchObject({ path: HELD, query: { dry_run: true, keep_missing: false } })
    await service.last.answer()
    expect(upload.state()).toMatchObject({ keepsMissing: false, stage: { is: 'checked', isHeld: true } })
    expect([service.writes.length, service.discarded]).toEqual([1, 0])
    void upload.choose(FILE)
    expect(service.discarded).toBe(1)
  })

  it('gets the ids that its own resemble, and is checked again; that can be taken back', async () => {
    const { service, upload } = await sent(workHere, new File(['id,name\n7,A\n8,B\n'], 'a.csv'))
    const example = (index: number, value: string, similar_to: string) => ({ index, value, similar_to })
    const examples = [example(1, '7', '007'), example(2, '8', '7')]
    const warnings = [{ field: 'medication_id', msg: '', code: 'similar_id', count: 2, examples }]
    await service.last.answer(undefined, { warnings })
    const { stage } = upload.state()
    const similar = stage.is === 'checked' ? stage.similar : []
    expect(similar).toEqual([
      { index: 1, row: 2, id: '7', similarTo: '007', otherRow: undefined },
      { index: 2, row: 3, id: '8', similarTo: '7', otherRow: { index: 1, row: 2 } },
    ])
    void upload.changeChecked((work) => work.correctIds(similar.slice(0, 1)))
    await service.asked(2)
    expect(await service.sent()).toBe('id,name\r\n007,A\r\n8,B\r\n')
    expect(service.discarded).toBe(1)
    await service.last.answer()
    expect(upload.state().stage).toMatchObject({ is: 'checked', similar: [], changes: { count: 1 } })
    void upload.changeChecked((work) => work.undo())
    await service.asked(3)
    expect(await service.sent()).toBe('id,name\n7,A\n8,B\n')
  })

  it('in parts is no whole catalog, and is checked again if the catalog moves on between the checks of its parts', async () => {
    const here = workHere()
    const content = new Blob(['id,name\n1,A\n'])
    const parts = async () => [0, 1].map((offset) => ({ content, rows: 1, firstRow: 2, lastRow: 2, offset }))
    const work = new Proxy(here.work, {
      get: (target, name, own) => (name === 'parts' ? parts : Reflect.get(target, name, own)),
    })
    const { service, upload } = begun(() => ({ ...here, work }))
    void upload.choose(FILE)
    for (const [place, error] of [undefined, STALE, undefined, undefined].entries()) {
      await service.asked(place + 1)
      expect(upload.state().stage.is).toBe('checking')
      await service.last.answer(error)
    }
    expect(upload.state().stage).toMatchObject({ is: 'checked', isChangedByOthers: true })
    await upload.changeMode('reconcile')
    expect(upload.state().stage.is).toBe('tooLarge')
    expect(service.requests).toHaveLength(4)
  })

  it('with ids and one column that the header names asks nothing, and misses no name', async () => {
    const { service, upload } = await sent(workHere, new File(['id,strength\n1,5 mg\n'], 'a.csv'))
    expect(service.last.query).toMatchObject({ keep_missing: true })
    await service.last.answer()
    expect(upload.state().stage).toMatchObject({ is: 'checked' })
  })

  it('is asked about its catalog if most of its ids are new there and known in another one', async () => {
    const { service, upload } = begun()
    service.knowing = 'symptom'
    void upload.choose(FILE)
    await service.asked(1)
    await service.last.answer(undefined, { inserted: 1, updated: 0 })
    expect(upload.state().stage).toMatchObject({ is: 'asking', file: { better: { type: 'symptom', by: 'ids' } } })
    expect(service.discarded).toBe(1)
  })

  it('is checked again if the catalog has moved on', async () => {
    const { service, upload } = await checked()
    void upload.commit(false)
    await service.last.answer(STALE)
    expect(service.last.query).toMatchObject({ dry_run: true })
    await service.last.answer()
    expect(upload.state().stage).toMatchObject({ is: 'checked', isChangedByOthers: true })
  })

  it('whose answer is lost is sent again as it was, with the same key, so that it is written once', async () => {
    const { service, upload } = await checked()
    void upload.commit(true)
    const first = service.last
    await first.answer(new ServiceError('No answer', { status: 504 }))
    expect(upload.state().stage).toMatchObject({ is: 'interrupted', error: { status: 504 } })
    void upload.retryWrite()
    expect(service.last).toMatchObject({ path: first.path, query: first.query, headers: first.headers })
    expect(service.last.headers).toEqual({ 'Idempotency-Key': expect.stringMatching(/^[0-9a-f-]{36}$/) })
    await service.last.answer()
    expect(upload.state().stage.is).toBe('written')
  })

  it('keeps the answers when the file is chosen again, also with one more column, but not those about other cells', async () => {
    const service = new SlowService()
    const upload = new UploadProcess(service.client, medication, NO_MEMORY, workHere)
    const answers = () => {
      const { stage } = upload.state()
      if (!('file' in stage)) throw new Error(stage.is)
      const { csv, answers: given, hasRightColumns } = stage.file
      return [csv.fileColumns.map(({ field }) => field?.name), [...given.choices], hasRightColumns]
    }
    await upload.choose(new File(['Box,name,strength\nb1,Aspirin,NA\n'], 'a.csv'))
    await upload.changeReading((chosen) => chosen.mapColumn(0, { field: 'medication_id' }))
    await upload.changeReading((chosen) => chosen.chooseCells('placeholder', 'empty'))
    const asked = [['medication_id', 'name', 'strength'], [['placeholder', 'empty']], false]
    expect(answers()).toEqual(asked)
    await upload.choose(new File(['Box,name,strength\nb1,Aspirin,NA\n'], 'a.csv'))
    expect(answers()).toEqual(asked)
    await upload.choose(new File(['form,Box,name,strength\nTablet,b1,Aspirin,NA\n'], 'a.csv'))
    expect(answers()).toEqual([['form_name', 'medication_id', 'name', 'strength'], [['placeholder', 'empty']], false])
    await upload.choose(new File(['Box,name,strength,form\nb1,Aspirin,NA,none\n'], 'a.csv'))
    expect(answers()).toEqual([['medication_id', 'name', 'strength', 'form_name'], [], false])
  })

  it('waits for the columns to be looked at, and remembers them once the file is written', async () => {
    const service = new SlowService()
    let rows: ReturnType<ColumnMemory['read']> = {}
    const memory: ColumnMemory = {
      read: () => rows,
      remember: (header, targets) => {
        rows = { [headerKey(header)]: targets }
      },
      forget: () => {
        rows = {}
      },
    }
    const upload = new UploadProcess(service.client, medication, memory, workHere)
    const file = () => new File(['id,name,Box\n1,Aspirin,red\n'], 'a.csv')
    await upload.choose(file())
    expect(upload.state().stage.is).toBe('asking')
    await upload.changeReading((chosen) => chosen.mapColumn(2, { field: 'custom_type' }))
    expect(upload.state().stage).toMatchObject({ is: 'asking', file: { hasRightColumns: false } })
    expect(service.requests).toEqual([])
    void upload.confirmColumns()
    await service.asked(1)
    expect(await service.sent()).toBe('id,name,custom_type\r\n1,Aspirin,red\r\n')
    await service.last.answer()
    expect(rows).toEqual({})
    void upload.commit(false)
    await service.last.answer()
    expect(Object.values(rows)).toEqual([[null, null, { field: 'custom_type' }]])

    const columns = () => {
      const { stage } = upload.state()
      return 'file' in stage ? stage.file.csv.fileColumns.map(({ by }) => by) : []
    }
    await upload.choose(file())
    expect(upload.state().stage.is).toBe('asking')
    expect(columns()).toEqual(['header', 'header', 'memory'])
    await upload.changeReading((chosen) => {
      const { stage } = upload.state()
      if ('file' in stage) chosen.forgetColumns(stage.file)
    })
    expect(columns()).toEqual(['header', 'header', undefined])
    expect(rows).toEqual({})
  })

  it('looks for errors in the page while the service looks at the file', async () => {
    let finish = () => {}
    const checking = new Promise<void>((resolve) => {
      finish = resolve
    })
    const { service, upload } = await sent(() => workAfter((method) => method === 'check' && checking))
    expect(service.requests.map(({ query }) => query)).toMatchObject([{ dry_run: true }])
    await service.last.answer()
    expect(upload.state().stage.is).toBe('checking')
    finish()
    await eventually(() => expect(upload.state().stage.is).toBe('checked'))
  })

  it('of a workbook goes on with another sheet if the one that fits best cannot be used', async () => {
    const known = ['id', 'name', 'strength']
    const wide = [...known, ...Array.from({ length: MAX_CSV_COLUMNS }, (_, i) => `column ${i}`)]
    const good = ['id,name', '1,A'].map((line) => line.split(','))
    const workbook = textWorkbook([
      { name: 'Wide', rows: [wide] },
      { name: 'Good', rows: good },
    ])
    const { service, upload } = await sent(workHere, new File([workbook], 'a.xlsx'))
    expect(upload.state()).toMatchObject({ stage: { is: 'checking' }, sheets: { chosen: 'Good' } })
    await upload.changeReading((chosen) => chosen.changeSheet('Wide'))
    expect(upload.state()).toMatchObject({ stage: { is: 'unreadable' }, sheets: { chosen: 'Wide' } })
    void upload.changeReading((chosen) => chosen.changeSheet('Good'))
    await service.asked(2)
    await service.last.answer()
    expect(upload.state()).toMatchObject({ stage: { is: 'checked' }, sheets: { chosen: 'Good' } })
  })

  it('of a file with errors ends what was sent, and writes nothing before they are fixed', async () => {
    const { service, upload } = begun()
    await upload.choose(new File(['id,name,otc\n1,A,perhaps\n2,,yes\n'], 'a.csv'))
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 2, rowCount: 2 } })
    await upload.fix((work) => work.setAll({}, 'otc', 'no'))
    await upload.check()
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 1 }, changes: { count: 1 } })
    await upload.edit([{ index: 2, column: 1, text: 'B' }])
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 0 }, changes: { count: 2 } })
    expect(service.requests.length).toBeGreaterThan(0)
    for (const { query, signal, answer } of service.requests) {
      expect(query).toMatchObject({ dry_run: true })
      expect(signal.aborted).toBe(true)
      await answer()
    }
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 0 }, changes: { count: 2 } })
    const asked = service.requests.length
    void upload.check()
    await service.asked(asked + 1)
    expect(await service.sent()).toBe('id,name,otc\r\n1,A,no\r\n2,B,no\r\n')
  })

  it('loses no cell that is typed while others are checked', async () => {
    const { service, upload } = begun()
    await upload.choose(new File(['id,name\n1,\n2,\n3,\n'], 'a.csv'))
    void upload.edit([{ index: 1, column: 1, text: 'A' }])
    void upload.edit([{ index: 2, column: 1, text: 'B' }])
    void upload.edit([{ index: 3, column: 1, text: 'C' }])
    const asked = service.requests.length
    void upload.check()
    await service.asked(asked + 1)
    expect(await service.sent()).toBe('id,name\r\n1,A\r\n2,B\r\n3,C\r\n')
  })

  it('shows that cells could not be changed, and the rows as they still are; later changes are made', async () => {
    const { service, upload } = begun(() => failingWork('edit'))
    await upload.choose(new File(['id,name\n1,\n2,\n'], 'a.csv'))
    const { stage } = upload.state()
    const versionBefore = stage.is === 'faulty' ? stage.version : undefined
    void upload.edit([{ index: 1, column: 1, text: 'A' }])
    await upload.edit([{ index: 2, column: 1, text: 'B' }])
    await settled()
    expect(upload.state().stage).toMatchObject({
      is: 'faulty',
      failure: { message: 'edit failed' },
      errors: { errorCount: 2 },
      changes: { count: 0 },
    })
    expect(upload.state().stage).not.toMatchObject({ version: versionBefore })
    await upload.fix((work) => work.setAll({}, 'name', 'C'))
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 0 }, changes: { count: 1 } })
    const asked = service.requests.length
    void upload.check()
    await service.asked(asked + 1)
    expect(await service.sent()).toBe('id,name\r\n1,C\r\n2,C\r\n')
  })

  it('can be checked again if a change of its rows fails after a check', async () => {
    const { service, upload } = await checked(() => failingWork('correctIds'))
    await upload.changeChecked((work) => work.correctIds([]))
    expect(upload.state().stage).toMatchObject({ is: 'notChecked', error: { message: 'correctIds failed' } })
    void upload.check()
    await service.asked(2)
    await service.last.answer()
    expect(upload.state().stage.is).toBe('checked')
  })

  it('leaves rows out of a file that adds and updates, and has them back if it is the whole catalog', async () => {
    const { service, upload } = begun()
    await upload.choose(new File(['id,name\n1,\n2,B\n'], 'a.csv'))
    const asked = service.requests.length
    void upload.leaveOutFailing()
    await service.asked(asked + 1)
    expect(await service.sent()).toBe('id,name\r\n\r\n2,B\r\n')
    await service.last.answer()
    expect(upload.state().stage).toMatchObject({ is: 'checked', changes: { leftOut: 1 } })
    await upload.changeMode('reconcile')
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { errorCount: 1 }, changes: { leftOut: 0 } })
  })

  it('leaves no row out once the file is the whole catalog, which the page may not show yet', async () => {
    const { upload } = begun()
    await upload.choose(new File(['id,name\n1,\n2,B\n'], 'a.csv'))
    void upload.changeMode('reconcile')
    void upload.leaveOut({})
    void upload.leaveOutFailing()
    await settled()
    expect(upload.state()).toMatchObject({
      mode: 'reconcile',
      stage: { is: 'faulty', errors: { errorCount: 1 }, changes: { leftOut: 0 } },
    })
  })

  it('shows what the service finds wrong besides', async () => {
    const { service, upload } = await sent()
    await service.last.answer(REFUSED)
    expect(upload.state().stage).toMatchObject({ is: 'faulty', errors: { groups: [{ field: 'name', errorCount: 1 }] } })
  })

  it.each<[keyof FileWork, string, (upload: UploadProcess, service: SlowService) => Promise<void>, stage: object]>([
    [
      'leaveOut',
      '1,\n2,B',
      (upload) => upload.leaveOutFailing(),
      { is: 'faulty', failure: { message: 'leaveOut failed' } },
    ],
    [
      'takeErrors',
      '1,A',
      (_, service) => service.last.answer(REFUSED),
      { is: 'notChecked', error: { message: 'takeErrors failed' } },
    ],
  ])('shows that the work on its file failed: %s', async (method, rows, happens, stage) => {
    const { service, upload } = begun(() => failingWork(method))
    void upload.choose(new File([`id,name\n${rows}\n`], 'a.csv'))
    await service.asked(1)
    await settled()
    await happens(upload, service)
    expect(upload.state().stage).toMatchObject(stage)
  })

  it('of a file that cannot be read goes no further', async () => {
    const { service, upload } = begun()
    await upload.choose(new File([''], 'empty.csv'))
    expect(upload.state().stage).toMatchObject({ is: 'unreadable', name: 'empty.csv' })
    expect(service.requests).toEqual([])
  })

  it('is forgotten when it is reset', async () => {
    const { service, upload } = await sent()
    upload.reset()
    await service.last.answer()
    expect(upload.state().stage).toEqual({ is: 'empty' })
  })
})
