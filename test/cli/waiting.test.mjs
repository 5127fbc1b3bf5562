import { describe, expect, it } from 'vitest'
import { dcs, dcsJson, put, said, statusOf, warned, withWorkspace } from './workspace.mjs'

withWorkspace()

describe('a pending upload', () => {
  const stop = (file) => dcsJson(['push', 'symptom', file, '--reconcile', '--max-shrink', '1'])

  it("is found by a monitor's check, and written after a user approves it", async () => {
    const { active_records } = await statusOf('symptom')
    const file = await put('waits.csv', 'symptom_id,name\nWAITS,Waits\n')
    const stopped = await stop(file)
    expect(stopped).toMatchObject({
      exit: 4,
      results: [{ outcome: 'stopped', stops: [{ code: 'shrink_guard' }] }],
    })
    const { uploadId, heldUntil } = stopped.results[0].waiting
    // The service's guard has blocked it, so it stays pending for seven days instead of one.
    expect(Date.parse(heldUntil)).toBeGreaterThan(Date.now() + 6 * 86_400_000)
    const [, listed] = (await dcs(['uploads', 'symptom'])).stdout.split(`${uploadId}  `)
    expect(listed).toMatch(/^\S+ {2}held, until .*waits\.csv.*, revision \d+\n.*\n {4}file: shrink_guard, \d+\n/)
    expect(await dcs(['status', '--check'])).toMatchObject(said(1, new RegExp(`^WARNING - .*${uploadId} is pending`)))
    expect(await dcs(['approve', uploadId])).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('--confirm-shrink'),
    })
    const args = ['approve', uploadId, '--confirm-shrink']
    const shown = await dcs([...args, '--dry-run'])
    expect(shown).toMatchObject(said(0, `${active_records} deactivated`))
    const { revision } = await statusOf('symptom')
    expect(await dcs(args)).toMatchObject(
      said(0, new RegExp(`1 inserted.*dcs restore symptom --revision ${revision}\n`)),
    )
    expect(await dcs(args)).toMatchObject(warned(4, 'approved'))
    expect((await dcs(['status', '--check'])).stdout).not.toContain(uploadId)
  })

  it('is discarded, and disappears', async () => {
    const file = await put('emptied.csv', 'medication_id,name,aliases\nD1,Discarded,One\n')
    const reconcile = ['push', 'medication', '-', '--reconcile', '--confirm-shrink']
    await dcs(['push', 'medication', file])
    const stopped = await dcsJson(reconcile, { input: 'medication_id,name,aliases\nD1,Discarded,\n' })
    expect((await dcs(['uploads', 'medication'])).stdout).toContain('    aliases: emptied_guard, 1\n')
    const { uploadId } = stopped.results[0].waiting
    expect(await dcs(['approve', uploadId])).toMatchObject({ code: 4 })
    expect(await dcs(['reject', uploadId])).toMatchObject({ code: 0 })
    expect(await dcs(['discard', uploadId])).toMatchObject({ code: 4 })
    expect(await dcs(['discard', '00000000-0000-4000-8000-000000000000'])).toMatchObject({ code: 2 })
  })

  it('overwrites a newer file only if a user confirms that', async () => {
    const all = (await dcs(['pull', 'symptom'])).stdout
    await dcs(['push', 'symptom', '-'], { input: 'symptom_id,name\nOLDER,Older rash\nOTHER,Other\n' })
    const stopped = await stop(await put('older.csv', 'symptom_id,name\nOLDER,Older rash\n'))
    const { uploadId } = stopped.results[0].waiting
    await dcs(['push', 'symptom', '-'], { input: 'symptom_id,name\nOLDER,Newer rash\n' })
    const args = ['approve', uploadId, '--confirm-shrink']
    expect(await dcs(args)).toMatchObject(warned(4, '--older'))
    expect((await dcs(['pull', 'symptom'])).stdout).toContain('OLDER,Newer rash')
    expect(await dcs([...args, '--older'])).toMatchObject({ code: 0 })
    expect(await dcs(['push', 'symptom', '-', '--allow-emptied', 'all'], { input: all })).toMatchObject({
      code: 0,
    })
  })

  it('no longer causes a warning after a user has decided', async () => {
    for (const type of ['medication', 'lab_test', 'symptom', 'diagnosis']) {
      const { uploads } = await dcsJson(['uploads', type])
      const waiting = uploads.filter(({ outcome }) => outcome === 'held')
      for (const { upload_id } of waiting) await dcs(['discard', upload_id])
    }
    expect(await dcs(['status', '--check'])).toMatchObject(said(1, /^WARNING - .*symptom: sync monitoring is off/))
    expect(await dcs(['status', '--check', '--allow-unwatched', 'all'])).toMatchObject(said(0, /^OK - /))
  })
})

it('dcs restore shows what it would change, and makes the change after a confirmation', async () => {
  const { revision } = await statusOf('lab_test')
  const row = 'T1,Test,imaging,na\n'
  await dcs(['push', 'lab_test', '-'], { input: `lab_test_id,name,kind,result_type\n${row}` })
  const shown = await dcs(['restore', 'lab_test', '--revision', String(revision)])
  expect(shown).toMatchObject(said(0, '1 deactivated'))
  expect((await statusOf('lab_test')).revision).toBe(revision + 1)
  expect(await dcs(['restore', 'lab_test', '--revision', String(revision), '--yes'])).toMatchObject({
    code: 0,
  })
  expect((await statusOf('lab_test')).revision).toBe(revision + 2)
  expect(await dcs(['restore', 'lab_test', '--revision', '9999'])).toMatchObject({ code: 2 })
})
