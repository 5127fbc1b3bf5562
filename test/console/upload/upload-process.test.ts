import { describe, expect, it } from 'vitest'
import { ServiceError } from '#client/service-error'
import type { AnswerMemory } from '#console/upload/process/answer-memory'
import type { UploadClient } from '#console/upload/process/held-file'
import { UploadProcess } from '#console/upload/process/upload-process'
import type { WorkerHandle } from '#console/worker-handle'
import type { SavedAnswers } from '#files/file-summary'
import { FileWork } from '#files/file-work'
import { labTest } from '#shared/records/types/lab-test'
import { medication } from '#shared/records/types/medication'
import { eventually } from '../../support/eventually'

type Work = WorkerHandle<FileWork>['work']

/** Calls of the file work without a response yet. */
let openCalls = 0

/**
 * The work on a file, without a worker. Arguments and results are copied as for a worker.
 *
 * @param before runs before each call, which waits for it and fails if it fails
 */
function workHere(before: (method: keyof FileWork) => unknown = () => undefined): WorkerHandle<FileWork> {
  const file = new FileWork()
  const methodOf =
    (name: keyof FileWork) =>
    async (...args: unknown[]) => {
      await before(name)
      openCalls++
      try {
        return structuredClone(await (file[name] as (...args: unknown[]) => unknown).apply(file, args))
      } finally {
        openCalls--
      }
    }
  const work = new Proxy({} as Work, { get: (_, name) => methodOf(name as keyof FileWork) })
  return { work, failed: new Promise(() => undefined), end: () => undefined }
}

const csv = (...lines: string[]) => new File([lines.map((line) => `${line}\n`).join('')], 'a.csv')

const FILE = csv('id,name', '1,Aspirin')

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

/** A service whose responses the test sends when it wants. */
class SlowService {
  readonly requests: {
    path: string
    query: object
    headers: object | undefined
    signal: AbortSignal
    answer: (error?: Error, more?: object) => Promise<void>
  }[] = []

  /** The client as the page uses it. */
  readonly client = {
    post: (path: string, { query, body, headers, signal }: Sent) =>
      new Promise((resolve, reject) => {
        // A lookup of IDs.
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

  /** Pending uploads that were discarded. */
  discarded = 0
  /** The catalog that contains the IDs that are looked up. */
  knowing: string | undefined
  /** Requests that contain a file. */
  readonly writes: Blob[] = []

  /** The text of the last file that was sent. */
  sent(): Promise<string> {
    return new Response(this.writes.at(-1)!.stream().pipeThrough(new DecompressionStream('gzip'))).text()
  }

  get last() {
    return this.requests.at(-1)!
  }

  /** Waits until this number of requests has arrived. */
  async asked(times: number): Promise<void> {
    await eventually(() => expect(this.requests.length).toBeGreaterThanOrEqual(times))
  }
}

/** Waits until nothing is left to run in the page or in the work on its file. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn = openCalls > 0 ? 0 : turn + 1)
    await new Promise((resolve) => setImmediate(resolve))
}

const NO_MEMORY: AnswerMemory = { read: () => [], remember: () => undefined, forget: () => undefined }

/** An upload without any choices yet. */
function begun(startWorker: () => WorkerHandle<FileWork> = workHere, memory = NO_MEMORY) {
  const service = new SlowService()
  const upload = new UploadProcess(service.client, medication, memory, startWorker)
  const stage = () => upload.state().stage
  /** The content for which the file is read. */
  const file = () => {
    const shown = stage()
    if (!('file' in shown)) throw new Error(shown.is)
    return shown.file
  }
  /** Runs something that causes one more request. @returns the request */
  const sentAfter = async (act: () => unknown) => {
    const asked = service.requests.length
    act()
    await service.asked(asked + 1)
    return service.sent()
  }
  return { service, upload, stage, file, sentAfter }
}

const HELD = '/admin/catalogs/v1/{type}/uploads/{upload_id}/write'

/** A file that the service was asked to check. */
async function sent(startWorker?: () => WorkerHandle<FileWork>, file = FILE) {
  const all = begun(startWorker)
  void all.upload.choose(file)
  await all.service.asked(1)
  return all
}

/** A file after its check. */
async function checked(startWorker?: () => WorkerHandle<FileWork>) {
  const all = await sent(startWorker)
  await all.service.last.answer()
  return all
}

const FAULTY = (errorCount: number, more = {}) => ({ is: 'faulty', errors: { errorCount }, ...more })

describe('the check of a file', () => {
  it('sends an inactive record as inactive if its empty cell means “As in the catalog”', async () => {
    const { service, upload, stage, file } = begun()
    void upload.choose(csv('id,name,is_active', '1,Aspirin,yes', '2,Ibuprofen,', '3,Codeine,'))
    await eventually(() => expect(stage().is).toBe('asking'))
    const [question] = file().questions
    upload.changeReading((answers) => answers.chooseCells(question!.key, 'keep'))
    await service.asked(1)
    const reactivated = [{ id: '2', name: 'Ibuprofen' }]
    await service.last.answer(undefined, { reactivated: 1, diff: { ...DIFF, reactivated } })
    await service.asked(2)
    expect((await service.sent()).trim().split(/\r?\n/).slice(1)).toEqual([
      '1,Aspirin,yes',
      '2,Ibuprofen,no',
      '3,Codeine,',
    ])
    await service.last.answer()
    expect(stage()).toMatchObject({ is: 'checked', impliedReactivations: [] })
  })

  it('uses the mode chosen while the file is being read', async () => {
    const { service, upload } = begun()
    const choosing = upload.choose(FILE)
    upload.changeMode('reconcile')
    await service.asked(1)
    const diff = { include: 'diff', examples: 1000 }
    expect(service.requests.map(({ query }) => query)).toEqual([
      { type: 'medication', mode: 'reconcile', dry_run: true, hold: true, ...diff },
    ])
    await service.last.answer()
    await choosing
    expect(upload.state()).toMatchObject({ mode: 'reconcile', stage: { is: 'checked', check: { mode: 'reconcile' } } })
  })

  it('is not shown after another one has replaced it, or the upload is reset', async () => {
    const { service, upload, stage } = await sent()
    void upload.changeMode('reconcile')
    await service.asked(2)
    const [first, second] = service.requests
    expect(first!.signal.aborted).toBe(true)
    await first!.answer()
    expect(stage().is).toBe('checking')
    await second!.answer()
    expect(stage()).toMatchObject({ is: 'checked', check: { mode: 'reconcile' } })
    void upload.changeMode('upsert')
    await service.asked(3)
    upload.reset()
    await service.last.answer()
    expect(stage()).toEqual({ is: 'empty' })
  })

  it('leaves it to the service whether a test has a specimen if the file has no column for it', async () => {
    const service = new SlowService()
    const upload = new UploadProcess(service.client, labTest, NO_MEMORY, workHere)
    void upload.choose(csv('id,name,kind,result_type', 'L1,Glucose,laboratory,na'))
    await service.asked(1)
    await settled()
    expect(upload.state().stage.is).toBe('checking')
  })

  it('runs in the page while the service checks the file', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const { service, stage } = await sent(() => workHere((method) => method === 'check' && promise))
    await service.last.answer()
    expect(stage().is).toBe('checking')
    resolve()
    await eventually(() => expect(stage().is).toBe('checked'))
  })

  it('is repeated for other decisions without sending the file, until a file is chosen again', async () => {
    const { service, upload, stage } = await checked()
    void upload.changeKeeping(false)
    await settled()
    // The pending file was sent with the first decision.
    expect(service.last).toMatchObject({ path: HELD, query: { dry_run: true, keep_missing: false } })
    await service.last.answer()
    expect(upload.state().keepsMissing).toBe(false)
    expect(stage()).toMatchObject({ is: 'checked', isHeld: true })
    expect([service.writes.length, service.discarded]).toEqual([1, 0])
    void upload.choose(FILE)
    expect(service.discarded).toBe(1)
  })

  it('keeps the state of records only if a required field has no column, so that others are asked about', async () => {
    const { service, upload } = begun()
    void upload.choose(csv('id,strength', '1,5 mg'))
    await service.asked(1)
    expect(service.last.query).toMatchObject({ keep_missing: true })
    void upload.choose(FILE)
    await service.asked(2)
    expect(service.last.query).toMatchObject({ keep_missing: undefined })
  })

  it('sends the file again for the decision without a parameter, if it was sent with another one', async () => {
    const { service, upload } = begun()
    void upload.changeKeeping(false)
    void upload.choose(FILE)
    await service.asked(1)
    await service.last.answer()
    void upload.changeKeeping(true)
    await service.asked(2)
    expect([service.writes.length, service.discarded]).toEqual([2, 1])
    expect(service.last.query).toMatchObject({ keep_missing: undefined, hold: true })
  })

  it('is repeated with the similar IDs of the catalog', async () => {
    const { service, upload, stage, sentAfter } = await sent(workHere, csv('id,name', '7,A', '8,B'))
    const example = (index: number, value: string, similar_to: string) => ({ index, value, similar_to })
    const examples = [example(1, '7', '007'), example(2, '8', '7')]
    const warnings = [{ field: 'medication_id', msg: '', code: 'similar_id', count: 2, examples }]
    await service.last.answer(undefined, { warnings })
    const shown = stage()
    const similar = shown.is === 'checked' ? shown.similar : []
    expect(similar).toEqual([
      { index: 1, row: 2, id: '7', name: 'A', similarTo: '007', otherRow: undefined },
      { index: 2, row: 3, id: '8', name: 'B', similarTo: '7', otherRow: { index: 1, row: 2 } },
    ])
    const corrected = await sentAfter(() => upload.changeChecked((work) => work.correctIds(similar.slice(0, 1))))
    expect([corrected, service.discarded]).toEqual(['id,name\r\n007,A\r\n8,B\r\n', 1])
    await service.last.answer()
    expect(stage()).toMatchObject({ is: 'checked', similar: [], changes: { count: 1 } })
    expect(await sentAfter(() => upload.changeChecked((work) => work.undo()))).toBe('id,name\n7,A\n8,B\n')
  })

  it('of a file in parts is repeated if the catalog changes between them', async () => {
    const here = workHere()
    const content = new Blob(['id,name\n1,A\n'])
    const parts = async () => [0, 1].map((offset) => ({ content, rows: 1, firstRow: 2, lastRow: 2, offset }))
    const work = new Proxy(here.work, {
      get: (target, name, own) => (name === 'parts' ? parts : Reflect.get(target, name, own)),
    })
    const { service, upload, stage } = begun(() => ({ ...here, work }))
    void upload.choose(FILE)
    for (const [place, error] of [undefined, STALE, undefined, undefined].entries()) {
      await service.asked(place + 1)
      expect(stage().is).toBe('checking')
      await service.last.answer(error)
    }
    expect(stage()).toMatchObject({ is: 'checked', isChangedByOthers: true })
    await upload.changeMode('reconcile')
    expect([stage().is, service.requests.length]).toEqual(['tooLarge', 4])
  })

  it('asks about the catalog if most IDs are new there and known in another one', async () => {
    const { service, upload, stage } = begun()
    service.knowing = 'symptom'
    void upload.choose(FILE)
    await service.asked(1)
    await service.last.answer(undefined, { inserted: 1, updated: 0 })
    expect(stage()).toMatchObject({ is: 'asking', file: { better: { type: 'symptom', by: 'ids' } } })
    expect(service.discarded).toBe(1)
  })
})

describe('the write of a file', () => {
  it('is based on the state that was checked, and uses its mode', async () => {
    const { service, upload, stage } = await checked()
    void upload.commit(false)
    expect(stage().is).toBe('writing')
    expect(service.last.path).toBe(HELD)
    expect(service.last.query).toEqual({ expected_revision: 7, expected_epoch: 'seventh', keep_missing: undefined })
    expect(service.writes).toHaveLength(1)
    void upload.changeMode('reconcile')
    expect(service.last.signal.aborted).toBe(false)
    await service.last.answer()
    expect(upload.state()).toMatchObject({ mode: 'upsert', stage: { is: 'written' } })
  })

  it('sends the file once more if the service no longer has it, or could not store it', async () => {
    const { service, upload, stage } = await checked()
    void upload.commit(false)
    await service.last.answer(new ServiceError('The file no longer waits', { status: 410 }))
    expect(service.writes).toHaveLength(2)
    const query = { mode: 'upsert', expected_revision: 7, keep_missing: undefined }
    expect(service.last).toMatchObject({ path: '/admin/datasets/v1/', query })
    await service.last.answer()
    expect(stage().is).toBe('written')

    const second = await sent()
    await second.service.last.answer(new ServiceError('No room', { status: 503 }))
    expect(second.service.last.query).not.toHaveProperty('hold')
    await second.service.last.answer()
    expect(second.stage()).toMatchObject({ is: 'checked', isHeld: false })
    void second.upload.commit(false)
    await settled()
    expect(second.service.writes).toHaveLength(3)
  })

  it('is checked again if the catalog has changed', async () => {
    const { service, upload, stage } = await checked()
    void upload.commit(false)
    await service.last.answer(STALE)
    expect(service.last.query).toMatchObject({ dry_run: true })
    await service.last.answer()
    expect(stage()).toMatchObject({ is: 'checked', isChangedByOthers: true })
  })

  it('is repeated unchanged with the same key if its response is lost, so that it is written once', async () => {
    const { service, upload, stage } = await checked()
    void upload.commit(true)
    const first = service.last
    await first.answer(new ServiceError('No answer', { status: 504 }))
    expect(stage()).toMatchObject({ is: 'interrupted', error: { status: 504 } })
    void upload.retryWrite()
    expect(service.last).toMatchObject({ path: first.path, query: first.query, headers: first.headers })
    expect(service.last.headers).toEqual({ 'Idempotency-Key': expect.stringMatching(/^[0-9a-f-]{36}$/) })
    await service.last.answer()
    expect(stage().is).toBe('written')
  })
})

describe('the questions about a file', () => {
  it('keep their answers if it is chosen again, even with an additional column', async () => {
    const { upload, file } = begun()
    const answers = () => [file().csv.fileColumns.map(({ field }) => field?.name), [...file().answers.choices]]
    await upload.choose(csv('Box,name,strength', 'b1,Aspirin,NA'))
    await upload.changeReading((chosen) => chosen.mapColumn(0, { field: 'medication_id' }))
    await upload.changeReading((chosen) => chosen.chooseCells('placeholder', 'empty'))
    const empty = [['placeholder', 'empty']]
    expect(answers()).toEqual([['medication_id', 'name', 'strength'], empty])
    for (const [lines, fields, choices] of [
      [['Box,name,strength', 'b1,Aspirin,NA'], ['medication_id', 'name', 'strength'], empty],
      [['form,Box,name,strength', 'Tablet,b1,Aspirin,NA'], ['form_name', 'medication_id', 'name', 'strength'], empty],
      [['Box,name,strength,form', 'b1,Aspirin,NA,none'], ['medication_id', 'name', 'strength', 'form_name'], empty],
    ] as const) {
      await upload.choose(csv(...lines))
      expect([...answers(), file().hasRightColumns]).toEqual([fields, choices, false])
    }
  })

  it('are asked after the columns are confirmed, which are remembered once the file is written', async () => {
    let remembered: readonly SavedAnswers[] = []
    const memory: AnswerMemory = {
      read: () => remembered,
      remember: (answers) => {
        remembered = [answers]
      },
      forget: () => {
        remembered = []
      },
    }
    const { service, upload, stage, file, sentAfter } = begun(workHere, memory)
    const box = csv('id,name,Box', '1,Aspirin,red')
    await upload.choose(box)
    expect(stage().is).toBe('asking')
    await upload.changeReading((chosen) => chosen.mapColumn(2, { field: 'custom_type' }))
    expect(stage()).toMatchObject({ is: 'asking', file: { hasRightColumns: false } })
    expect(service.requests).toEqual([])
    expect(await sentAfter(() => upload.confirmColumns())).toBe('id,name,custom_type\r\n1,Aspirin,red\r\n')
    await service.last.answer()
    expect(remembered).toEqual([])
    void upload.commit(false)
    await service.last.answer()
    expect(remembered).toMatchObject([{ headers: ['id', 'name', 'box'], targets: { box: { field: 'custom_type' } } }])

    // The next file with these columns continues immediately.
    const columns = () => file().csv.fileColumns.map(({ by }) => by)
    expect(await sentAfter(() => upload.choose(box))).toBe('id,name,custom_type\r\n1,Aspirin,red\r\n')
    expect(columns()).toEqual(['header', 'header', 'memory'])
    await upload.changeReading((chosen) => chosen.forgetAnswers(file()))
    expect([remembered, stage().is, columns()]).toEqual([[], 'asking', ['header', 'header', undefined]])
  })
})

describe('a file with errors', () => {
  it('aborts the request, and is written only after the errors are fixed', async () => {
    const { service, upload, stage, sentAfter } = begun()
    await upload.choose(csv('id,name,otc', '1,A,perhaps', '2,,yes'))
    expect(stage()).toMatchObject(FAULTY(2))
    await upload.fix((work) => work.setAll({}, 'otc', 'no'))
    await upload.check()
    expect(stage()).toMatchObject(FAULTY(1, { changes: { count: 1 } }))
    await upload.edit([{ index: 2, column: 1, text: 'B' }])
    const fixed = FAULTY(0, { changes: { count: 2 } })
    expect(stage()).toMatchObject(fixed)
    expect(service.requests.length).toBeGreaterThan(0)
    for (const { query, signal, answer } of service.requests) {
      expect([query, signal.aborted]).toMatchObject([{ dry_run: true }, true])
      await answer()
    }
    expect(stage()).toMatchObject(fixed)
    expect(await sentAfter(() => upload.check())).toBe('id,name,otc\r\n1,A,no\r\n2,B,no\r\n')
  })

  it('loses no cell that is typed while others are checked', async () => {
    const { upload, sentAfter } = begun()
    await upload.choose(csv('id,name', '1,', '2,', '3,', '4,D', '5,E', '6,F'))
    for (const [row, text] of ['A', 'B', 'C'].entries()) void upload.edit([{ index: row + 1, column: 1, text }])
    expect(await sentAfter(() => upload.check())).toBe('id,name\r\n1,A\r\n2,B\r\n3,C\r\n4,D\r\n5,E\r\n6,F\r\n')
  })

  it('shows that cells could not be changed', async () => {
    const withFault = workHere((method) => {
      if (method === 'edit') throw new Error('edit failed')
    })
    const { upload, stage, sentAfter } = begun(() => withFault)
    await upload.choose(csv('id,name', '1,', '2,', '3,D', '4,E'))
    const before = stage()
    void upload.edit([{ index: 1, column: 1, text: 'A' }])
    await upload.edit([{ index: 2, column: 1, text: 'B' }])
    await settled()
    expect(stage()).toMatchObject(FAULTY(2, { failure: { message: 'edit failed' }, changes: { count: 0 } }))
    expect(stage()).not.toMatchObject({ version: before.is === 'faulty' ? before.version : undefined })
    await upload.fix((work) => work.setAll({}, 'name', 'C'))
    expect(stage()).toMatchObject(FAULTY(0, { changes: { count: 1 } }))
    expect(await sentAfter(() => upload.check())).toBe('id,name\r\n1,C\r\n2,C\r\n3,D\r\n4,E\r\n')
  })

  it('has rows excluded if it adds and updates, but none if it is the whole catalog', async () => {
    const { service, upload, stage, sentAfter } = begun()
    await upload.choose(csv('id,name', '1,', '2,B'))
    expect(await sentAfter(() => upload.leaveOutFailing())).toBe('id,name\r\n\r\n2,B\r\n')
    await service.last.answer()
    expect(stage()).toMatchObject({ is: 'checked', changes: { leftOut: 1 } })
    await upload.changeMode('reconcile')
    const whole = FAULTY(1, { changes: { leftOut: 0 } })
    expect(stage()).toMatchObject(whole)
    // The page may still show them.
    void upload.leaveOut({})
    void upload.leaveOutFailing()
    await settled()
    expect(stage()).toMatchObject(whole)
  })

  it('may also be a file in which only the service finds an error', async () => {
    const { service, stage } = await sent()
    await service.last.answer(REFUSED)
    expect(stage()).toMatchObject({ is: 'faulty', errors: { groups: [{ field: 'name', errorCount: 1 }] } })
  })

  it('stops if it cannot be read', async () => {
    const { service, upload, stage } = begun()
    await upload.choose(new File([''], 'empty.csv'))
    expect(stage()).toMatchObject({ is: 'unreadable', name: 'empty.csv' })
    expect(service.requests).toEqual([])
  })
})
