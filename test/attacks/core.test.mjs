import { expect, it, onTestFinished } from 'vitest'
import { IsolateUnderAttack } from './isolate-under-attack.mjs'

/** For each way in which a request can use memory: one of the kinds that use most, without taking long. */
const CORE = [
  'token without a credential: 10 KB of gzip, [{},{},…]',
  'JSON, a refid that is a list of 1.0',
  'JSON, aliases of U+FDFA',
  'CSV, aliases next to a two-byte character',
  'CSV, aliases of control characters next to a two-byte character',
  'a form with one file of 10 MB',
  'CSV, line ends, gzip',
  'JSON, minimal records: the first changes',
  'JSON, records of 480 KB: the first changes',
  'encrypted JSON, a long text',
  'the preview of a restore of records of 480 KB',
  'a page of 1,000 records of 480 KB, with q',
  'changes of records of 480 KB that one write made',
]

it('an isolate survives two parallel requests of the kinds that use the most memory', async () => {
  const isolate = await IsolateUnderAttack.prepare()
  onTestFinished(() => isolate.close())
  const { sent, failed } = await isolate.send(2, (name) => CORE.includes(name))
  expect(failed).toEqual({})
  expect(sent).toEqual(CORE)
})
