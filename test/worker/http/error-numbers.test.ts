import { expect, it } from 'vitest'
import type { FieldError } from '#shared/errors/errors'
import { catalogOfEachTest, type ErrorAnswer, type TestCatalog } from '../../support/catalog'
import { callOperator } from '../../support/credentials'
import { callService, jsonBody } from '../../support/service'

const catalog = catalogOfEachTest()

const MEMBERS = ['limit', 'min', 'max', 'item', 'row', 'column', 'byte', 'first_index'] as const

/** The numbers in a message, without those of names and in quotes: `U+0000`, `UTF-8`, `"10"`. */
const numbersIn = (msg: string): number[] =>
  (msg.replaceAll(/"[^"]*"/g, '').match(/(?<![\w+.-])\d[\d,]*(?![\w])/g) ?? []).map((text) =>
    Number(text.replaceAll(',', '')),
  )

const membersOf = (error: FieldError): number[] => MEMBERS.flatMap((name) => error[name] ?? [])

const record = (fields: object = {}) => ({ medication_id: 'a', name: 'A', ...fields })
const posted = (records: unknown) => () => catalog.post(records)
const uploaded = (csv: string | Uint8Array<ArrayBuffer>) => () => catalog.postCsv(csv)
const bytesOf = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number): unknown => JSON.parse('['.repeat(depth) + ']'.repeat(depth))

const REFUSALS: [string, () => ReturnType<TestCatalog['send']>][] = [
  ['a text that is too long', posted([record({ sku: 'x'.repeat(65) })])],
  ['a list with too many items', posted([record({ aliases: Array.from({ length: 1001 }, () => 'x') })])],
  ['an item that is too long', posted([record({ aliases: ['x', 'y'.repeat(201)] })])],
  ['a value that is nested too deeply', posted([record({ refid: nested(1002) })])],
  ['a record that is too large', posted([record({ refid: 'x'.repeat(500_001) })])],
  ['an id twice', posted([record(), record()])],
  ['a row with too many cells', uploaded('id,name\na,A,x\n')],
  ['a quote that never closes', uploaded('id,name\na,A\nb,"B\n')],
  ['text after a quote', uploaded('id,name\na,"A"x\n')],
  ['a line end in a name', uploaded('id,name\na,"A\nB"\n')],
  ['a column twice', uploaded('id,name,name\na,A,A\n')],
  ['a value without a header', uploaded('id,name,\na,A,x\n')],
  ['too many columns', uploaded(`id,name${',x'.repeat(16_384)}\n`)],
  ['too many rows', uploaded(`id,name\n${Array.from({ length: 50_001 }, (_, n) => `${n},x`).join('\n')}`)],
  [
    'a damaged file',
    uploaded(new Uint8Array([...bytesOf(`id,name\na,${'é'.repeat(200)}\nb,`), 0xc3, ...bytesOf('x\n')])),
  ],
  ['a limit of a page', () => catalog.send('GET', '/', { limit: 1001 })],
  ['a query that is too long', () => catalog.send('GET', '/', { q: 'x'.repeat(201) })],
  ['a share', () => catalog.post([], { mode: 'reconcile', max_shrink: 51 })],
]

function expectNumbersOf(errors: readonly FieldError[], name: string): void {
  expect(errors.flatMap(({ msg }) => numbersIn(msg)).length, name).toBeGreaterThan(0)
  for (const error of errors) expect(membersOf(error), error.msg).toEqual(expect.arrayContaining(numbersIn(error.msg)))
}

it('every number in an error message is also a property of the error', async () => {
  for (const [name, send] of REFUSALS) expectNumbersOf((await catalog.refused(400, send())).errors, name)
})

it('every number in an error of other endpoints is also a property', async () => {
  const send = (method: string, path: string, body: object) =>
    callService(path, { method, ...jsonBody(body, { Authorization: `Bearer ${catalog.workspace.token}` }) })
  const refusals: [string, Response][] = [
    ['a task', await send('POST', '/mr/api/v2/docs?task=no-task', {})],
    ['a mobile number', await send('POST', '/registration/v1/init', { mobile_number: '+1' })],
    ['the hours of a watch', await send('PUT', '/admin/catalogs/v1/symptom/watch', { every_hours: 'two' })],
    ['a workspace id', await callOperator('/workspaces', { name: 'x', workspace_id: 'x'.repeat(65) })],
  ]
  for (const [name, response] of refusals) {
    expect(response.status, name).toBe(400)
    expectNumbersOf((await response.json<Required<ErrorAnswer>>()).errors, name)
  }
})
