import { describe, expect, it } from 'vitest'
import {
  csv,
  dcs,
  dcsJson,
  inFront,
  isWrite,
  put,
  putAgo,
  statusOf,
  warned,
  withWorkspace,
  workspace,
} from './workspace.mjs'

withWorkspace()

/** Replaces the service for writes, or for the requests that `isMeant` selects. */
const answering = (status, body, isMeant = isWrite) =>
  inFront((request, response) => {
    if (!isMeant(request)) return 'pass'
    response.writeHead(status).end(body)
    return 'none'
  })

const isReport = ({ url }) => url.endsWith('/report')

describe('a job that fails before the service has the file', () => {
  const newest = async () => (await dcsJson(['uploads', 'lab_test'])).uploads.find(({ outcome }) => outcome !== 'held')
  const push = (...more) => dcs(['push', 'lab_test', ...more])

  const rows = (count) => Array.from({ length: count }, (_, i) => `R${i},Test ${i},imaging,na\n`).join('')
  const large = () => put('large.csv', `lab_test_id,name,kind,result_type\n${rows(50_001)}`)

  it.each([
    ['the file is missing', () => ['none*.csv'], 2, 'No file matches none*.csv.'],
    ['the file is too old', () => ['yesterday.csv', '--max-age', '20h'], 2, 'yesterday.csv is too old (--max-age): '],
    ['a column is not clear', () => ['asks.csv'], 3, 'Does a value of “Status” mean that a record is active?'],
    [
      'a whole catalog is larger than a request',
      async () => [await large(), '--reconcile'],
      3,
      'large.csv is larger than one',
    ],
    ['a proxy finds it too large', async () => ['one.csv', '--url', await answering(413, 'no')], 3, 'The response ('],
    ['a proxy rejects it', async () => ['one.csv', '--url', await answering(403, 'no')], 6, 'The response ('],
  ])('reports that to the service without values: %s', async (_, args, code, message) => {
    await putAgo(24, 'yesterday.csv', csv('Y1,Yesterday,'))
    await put('asks.csv', 'lab_test_id,name,kind,result_type,Status\nA1,Secret,imaging,na,Waiting\n')
    await put('one.csv', 'lab_test_id,name,kind,result_type\nA1,Secret,imaging,na\n')
    const given = await args()
    const ended = await push(...given)
    expect(ended).toMatchObject({ code, stdout: '' })
    const told = await newest()
    expect(told).toMatchObject({ outcome: 'not_sent', by_program: true, file_name: given[0] })
    expect(told.message.startsWith(message), told.message).toBe(true)
    expect(ended.stderr).toContain(told.message)
    expect(told.message).not.toMatch(/Secret|Waiting/)
    expect((await statusOf('lab_test')).sync.last_upload.upload_id).toBe(told.upload_id)
  })

  it('reports at most 500 characters, and no half character', async () => {
    await push(`none-${'😀'.repeat(600)}*.csv`)
    const { message, file_name } = await newest()
    const expected = (beginning) => `${beginning}${'😀'.repeat(499 - beginning.length)}…`
    expect([message, file_name]).toEqual([expected('No file matches none-'), expected('none-')])
  })

  it('keeps its exit code if the report fails, and prints that', async () => {
    const url = await answering(501, '{"message": "no reports"}', isReport)
    expect(await push('none.csv', '--url', url)).toMatchObject(
      warned(2, /^Could not report this to the service: no reports.*\ndcs: The file none\.csv is missing/),
    )
    const read = await answering(403, '{"message": "only catalog:read"}', isReport)
    expect(await push('none.csv', '--url', read)).toMatchObject(warned(2, 'only catalog:read'))
  })

  it('does not report a dry run, or a run by a user', async () => {
    let reports = 0
    const url = await inFront((request) => {
      if (isReport(request)) reports++
      return 'pass'
    })
    expect(await push('none.csv', '--dry-run', '--url', url)).toMatchObject({ code: 2 })
    const token = JSON.stringify({ access_token: 'of a person', expires_at: Date.now() + 60_000 })
    await put('person.token', token)
    await put('person.json', JSON.stringify({ default: { url, token_file: 'person.token' } }))
    const env = { DCS_URL: url, DCS_CLIENT_ID: undefined, DCS_CONFIG: `${workspace.folder}/person.json` }
    expect(await dcs(['push', 'lab_test', 'none.csv'], { env })).toMatchObject({ code: 2 })
    expect(reports).toBe(0)
  })
})
