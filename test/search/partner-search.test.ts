import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { errorResponseSchema } from '#http/error-schemas'
import { foldText } from '#records/search-text'
import { searchResult } from '#search/schemas'
import { newWorkspace, type TestWorkspace, tokenWithout } from '../support/credentials'
import { callService, jsonBody } from '../support/service'

interface Item {
  symptom_id: string
  name: string
}

const authorized = ({ token }: Pick<TestWorkspace, 'token'>, headers: Record<string, string> = {}) => ({
  ...headers,
  Authorization: `Bearer ${token}`,
})

const search = (workspace: Pick<TestWorkspace, 'token'>, query: string) =>
  callService(`/medical-db/v1/search/?type=symptom&${query}`, { headers: authorized(workspace) })

async function write(workspace: TestWorkspace, records: object[]): Promise<void> {
  const response = await callService('/admin/datasets/v1/?type=symptom&mode=reconcile&confirm_shrink=true', {
    method: 'POST',
    ...jsonBody(records, authorized(workspace)),
  })
  expect(response.status).toBe(200)
}

async function enable(workspace: TestWorkspace, enabled = true): Promise<void> {
  const response = await callService('/admin/datasets/v1/search-status/?type=symptom', {
    method: 'POST',
    ...jsonBody({ enabled }, authorized(workspace)),
  })
  expect(response.status).toBe(200)
}

async function found(
  workspace: TestWorkspace,
  q: string,
  limit = 50,
): Promise<{ source: string; items: Item[] }> {
  const response = await search(workspace, `q=${encodeURIComponent(q)}&limit=${limit}`)
  expect(response.status).toBe(200)
  const body = await response.json<{
    success: boolean
    data: { source: string; items: Item[]; count: number }
  }>()
  expect(searchResult.safeParse(body.data).error).toBeUndefined()
  expect(body.data.count).toBe(body.data.items.length)
  return body.data
}

const namesFor = async (workspace: TestWorkspace, q: string, limit?: number) =>
  (await found(workspace, q, limit)).items.map(({ name }) => name)

const named = (...names: string[]) => names.map((name, i) => ({ symptom_id: String(i), name }))

async function workspaceWith(records: object[]): Promise<TestWorkspace> {
  const workspace = await newWorkspace()
  await write(workspace, records)
  await enable(workspace)
  return workspace
}

describe('the switch', () => {
  it('decides whose catalog is searched, and acts at once', async () => {
    const provider = await newWorkspace('provider')
    await write(provider, named('Fever of the provider'))
    const workspace = await newWorkspace()
    await write(workspace, named('Fever of the workspace'))
    expect(await found(workspace, 'fever')).toMatchObject({
      source: 'provider',
      items: [{ name: 'Fever of the provider' }],
    })
    await enable(workspace)
    expect(await found(workspace, 'fever')).toMatchObject({
      source: 'workspace',
      items: [{ name: 'Fever of the workspace' }],
    })
    await enable(workspace, false)
    expect((await found(workspace, 'fever')).source).toBe('provider')
  })

  it('finds nothing at the provider as long as the operator has not filled its catalog', async () => {
    expect(await found(await newWorkspace(), 'fever')).toEqual({
      type: 'symptom',
      source: 'provider',
      items: [],
      count: 0,
    })
  })
})

describe('the order', () => {
  it('is equal, then starting, then a word starting, then any match, shorter names first', async () => {
    const workspace = await workspaceWith(
      named(
        'Baby aspirin',
        'Xaspirinx',
        'Aspirin plus',
        'ASPIRIN',
        'A baby aspirin',
        'Aspirin forte',
        'yaspirin',
      ),
    )
    const expected = [
      'ASPIRIN',
      'Aspirin plus',
      'Aspirin forte',
      'Baby aspirin',
      'A baby aspirin',
      'yaspirin',
      'Xaspirinx',
    ]
    expect(await namesFor(workspace, 'aspirin')).toEqual(expected)
    expect(await namesFor(workspace, '  AsPiRiN ')).toEqual(expected)
    expect(await namesFor(workspace, 'aspirin', 2)).toEqual(expected.slice(0, 2))
  })

  it('counts display names and aliases like names', async () => {
    const workspace = await workspaceWith([
      { symptom_id: '1', name: 'Pain in the head', aliases: ['Cephalgia', 'Headache'] },
      { symptom_id: '2', name: 'Headaches, chronic' },
      { symptom_id: '3', name: 'Migraine', display_name: 'One-sided headache' },
    ])
    expect(await namesFor(workspace, 'headache')).toEqual([
      'Pain in the head',
      'Headaches, chronic',
      'Migraine',
    ])
  })

  it('holds for words of one and two letters', async () => {
    const workspace = await workspaceWith(named('bab', 'a', 'ab c', 'c ab', 'abc', 'cab'))
    expect(await namesFor(workspace, 'a')).toEqual(['a', 'abc', 'ab c', 'c ab', 'bab', 'cab'])
    expect(await namesFor(workspace, 'ab')).toEqual(['abc', 'ab c', 'c ab', 'bab', 'cab'])
  })
})

describe('a search', () => {
  it('finds active records of the own workspace and of the type only', async () => {
    const workspace = await workspaceWith([
      { symptom_id: '1', name: 'Fever', is_active: false },
      { symptom_id: '2', name: 'Fever, mild' },
    ])
    await workspaceWith(named('Fever of another workspace'))
    const diagnosis = await callService('/admin/datasets/v1/?type=diagnosis', {
      method: 'POST',
      ...jsonBody([{ diagnosis_id: '1', name: 'Fever' }], authorized(workspace)),
    })
    expect(diagnosis.status).toBe(200)
    expect(await namesFor(workspace, 'fever')).toEqual(['Fever, mild'])
    expect(await namesFor(workspace, 'f')).toEqual(['Fever, mild'])
  })

  it('needs every word, without regard to case and diacritics', async () => {
    const workspace = await workspaceWith(named('Dépression mineure', 'Depression'))
    expect(await namesFor(workspace, 'mineure DEPRES')).toEqual(['Dépression mineure'])
    expect(await namesFor(workspace, 'depres')).toEqual(['Depression', 'Dépression mineure'])
    expect(await namesFor(workspace, '')).toEqual([])
    expect(await namesFor(workspace, '   ')).toEqual([])
  })

  it('takes more words than the database takes values', async () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyzαβγδεζηθικλμνξοπρστυφχψωбвгджзийклмнптфцчшщъыьэюя'].slice(
      0,
      70,
    )
    const workspace = await workspaceWith(named(letters.join('-'), letters.slice(1).join('-')))
    expect(await namesFor(workspace, letters.join(' '))).toEqual([letters.join('-')])
  })

  it('agrees with a naive search over any catalog, with few candidates and with many', async () => {
    const word = fc.stringMatching(/^[abé]{1,3}$/)
    const name = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
    const names = Array.from({ length: 1800 }, (_, i) => fc.sample(name, { numRuns: 1, seed: i })[0]!)
    const workspace = await workspaceWith(named(...names))
    const queries = fc.array(word, { minLength: 1, maxLength: 2 }).map((words) => words.join(' '))
    await fc.assert(
      fc.asyncProperty(queries, fc.integer({ min: 1, max: 50 }), async (q, limit) => {
        const actual = (await found(workspace, q, limit)).items.map((item) => rankOf(item.name, q))
        expect(actual).toEqual(ranksOf(names, q).slice(0, limit))
      }),
      { numRuns: 60, seed: 7 },
    )
  })
})

/** Class of a match and length of the name, or null where there is none. */
function rankOf(name: string, q: string): [rank: number, length: number] | null {
  const text = foldText(name)
  const query = foldText(q)
  const { length } = text
  if (text === query) return [0, length]
  if (text.startsWith(query)) return [1, length]
  if (text.includes(` ${query}`)) return [2, length]
  return query.split(' ').every((word) => text.includes(word)) ? [3, length] : null
}

const ranksOf = (names: readonly string[], q: string) =>
  names
    .map((name) => rankOf(name, q))
    .filter((rank) => rank !== null)
    .sort(([rankA, lengthA], [rankB, lengthB]) => rankA - rankB || lengthA - lengthB)

describe('a bad request', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=51', 'limit'],
    ['limit=1.5', 'limit'],
    [`q=${'a'.repeat(201)}`, 'q'],
    ['q=a&q=b', 'q'],
    ['type=symptom', 'type'],
  ])('with %s is 400 naming the parameter', async (query, field) => {
    const response = await search(await newWorkspace(), query)
    expect(response.status).toBe(400)
    const body = await response.json<{ errors: { field: string }[] }>()
    expect(errorResponseSchema.safeParse(body).error).toBeUndefined()
    expect(body.errors.map((error) => error.field)).toEqual([field])
  })

  it('without a token is 401, without the scope 403, with another method 405', async () => {
    const path = '/medical-db/v1/search/?type=symptom&q=a'
    expect((await callService(path)).status).toBe(401)
    expect((await search({ token: await tokenWithout('search') }, 'q=a')).status).toBe(403)
    const wrong = await callService(path, { method: 'POST', headers: authorized(await newWorkspace()) })
    expect([wrong.status, wrong.headers.get('Allow')]).toEqual([405, 'GET'])
  })
})
