import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { utils, write } from '@e965/xlsx'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'
import { dcs, put, said, terminal, warned, withWorkspace } from './workspace.mjs'

withWorkspace()

const ANSWERS = ['--answers', 'answers.json']
const validate = (file, ...more) => dcs(['validate', 'medication', file, ...ANSWERS, ...more])
/** Answers the questions about a file at a terminal. */
const answer = async (file, ...lines) => {
  await rm('answers.json', { force: true })
  return dcs(['validate', 'medication', file, ...ANSWERS], { stdin: terminal(...lines) })
}

describe('the questions about a file', () => {
  it('stop a job, which prints the questions and how to answer them', async () => {
    const file = await put('list.csv', 'medication_id,name,aliases\nA1,Aspirin,ASS; Aspro\nA2,Ibuprofen,Nurofen\n')
    const asked = await dcs(['push', 'medication', file])
    expect(asked).toMatchObject(warned(3, /items of lists.*at a terminal with --answers <file>/s))
    expect(asked.stderr).toContain('“ASS; Aspro” in row 2')
    expect(asked.stderr).toContain('\n  split\n  keep')
  })

  it('are asked at a terminal, and a job uses the answers given there', async () => {
    const file = await put(
      'asks.csv',
      'Medication ID,Name,Notes,Strength (mg),Status\n1,A,x,500,Open\nTotal,1 item,,,\n',
    )
    const answered = await answer(file, 'wrong', 'ignore', 'strength mg', 'yes', 'exclude')
    expect(answered).toMatchObject(warned(0, 'The answers are in answers.json.'))
    expect(answered.stderr).toContain('“Notes”, with “x”')
    expect(answered.stderr).toContain('Answer with a number')
    expect(await validate(file)).toMatchObject({ code: 0, stderr: '' })
    expect(await dcs(['push', 'medication', file, ...ANSWERS])).toMatchObject(said(0, '1 inserted'))
    expect((await dcs(['pull', 'medication'])).stdout).toContain('500 mg')
  })

  it('are asked again if a file has a new value or a new column', async () => {
    const rows = (...lines) => `medication_id,name,Status\n${lines.join('\n')}\n`
    await answer(await put('states.csv', rows('1,A,In Use', '2,B,Parked')), 'yes', 'no')
    expect(await validate('states.csv')).toMatchObject({ code: 0 })
    await put('states.csv', rows('1,A,In Use', '2,B,Parked', '3,C,Waiting'))
    const asked = await validate('states.csv')
    expect(asked.stderr).toContain('with --answers answers.json')
    expect(asked).toMatchObject(warned(3, 'Does a value of “Status” mean that a record is active?'))
    expect(asked.stderr).toContain('“Waiting”, in 1 row')
    await put('states.csv', 'medication_id,name,Status,Brand\n1,A,In Use,Panadol\n')
    expect(await validate('states.csv')).toMatchObject({ code: 3 })
  })

  it('include the sheet of a workbook, and the field of a column', async () => {
    const workbook = utils.book_new()
    const add = (name, ...rows) => utils.book_append_sheet(workbook, utils.aoa_to_sheet(rows), name)
    add('Drugs', ['Medication ID', 'Brand'], ['X1', 'Panadol'])
    add('Old', ['Medication ID', 'Name'], ['X2', 'Other'])
    const file = await put('book.xlsx', write(workbook, { type: 'buffer', bookType: 'xlsx' }))
    expect(await dcs(['validate', 'medication', file])).toMatchObject(warned(3, 'several sheets'))
    expect(await answer(file, 'Drugs', 'nofield', 'name')).toMatchObject(warned(0, 'There is no field “nofield”'))
    expect(await dcs(['push', 'medication', file, ...ANSWERS])).toMatchObject(said(0, '1 inserted'))
  })

  it('include the source of IDs if the file has no ID column', async () => {
    const file = await put('no-ids.csv', 'name,strength\nAspirin,100 mg\n')
    expect(await dcs(['validate', 'medication', file])).toMatchObject(warned(3, 'medication_id'))
    expect(await answer(file, '1')).toMatchObject({ code: 0 })
    expect(await dcs(['push', 'medication', file, ...ANSWERS])).toMatchObject(said(0, '1 inserted'))
    expect((await dcs(['pull', 'medication'])).stdout).toContain('aspirin-100-mg')
  })

  it('belong to one catalog and one file', async () => {
    const file = path.join(root, 'samples', 'diagnoses.csv')
    expect(await dcs(['validate', 'medication', file])).toMatchObject(
      warned(3, 'looks like one of the catalog diagnosis'),
    )
    await answer(await put('plain.csv', 'medication_id,name,Notes\n1,A,x\n'), 'ignore')
    expect(await dcs(['validate', 'symptom', file, ...ANSWERS])).toMatchObject(warned(2, 'are for medication'))
    await put('answers.json', '{"type": "medication"}')
    expect(await validate('plain.csv')).toMatchObject(warned(2, 'does not contain answers of dcs'))
  })

  it('end the command if they are left unanswered, and store nothing', async () => {
    const file = await put('plain.csv', 'medication_id,name,Notes\n1,A,x\n')
    expect(await answer(file)).toMatchObject(warned(2, 'was not answered'))
    await expect(readFile('answers.json')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
