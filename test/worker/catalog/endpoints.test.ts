import { beforeEach, describe, expect, it } from 'vitest'
import { catalogEndpoints } from '#worker/catalog/endpoints'
import { call, csvBody, DATASETS, newCatalog, type TestCatalog } from '../../support/catalog'
import { tokenWithout } from '../../support/credentials'
import { calling, jsonBody } from '../../support/service'

let catalog: TestCatalog

beforeEach(async () => {
  catalog = await newCatalog()
  await catalog.write([catalog.record('a')])
})

const service = calling()

/** A call of each endpoint that succeeds, by the name of its operation. */
const VALID: Record<string, RequestInit> = {
  writeRecords: jsonBody([{ medication_id: 'b', name: 'B' }]),
  setSearchStatus: jsonBody({ enabled: true }),
}

const endpoints = catalogEndpoints.map(({ method, path, operationId, access }) => ({
  operationId,
  method: method.toUpperCase(),
  path: path.replace('{entity_id}', 'a'),
  scope: access.scope!,
  init: VALID[operationId] ?? {},
  typed: operationId !== 'listDrugForms',
}))
const typed = endpoints.filter((endpoint) => endpoint.typed)

describe.each(endpoints)('$method $path', ({ method, path, scope, init }) => {
  const target = `${path}?type=medication`

  it('answers with and without a trailing slash, with the request id of the caller or a new one', async () => {
    const headers = new Headers(init.headers)
    headers.set('X-Request-Id', 'mine-1._')
    for (const form of [target, target.replace('/?', '?')]) {
      const answer = await call(catalog.workspace.token, method, form, { ...init, headers })
      expect(answer.status).toBe(200)
      expect(answer.headers.get('X-Request-Id')).toBe('mine-1._')
    }
    headers.set('X-Request-Id', 'not well formed')
    const answer = await call(catalog.workspace.token, method, target, { ...init, headers })
    expect(answer.headers.get('X-Request-Id')).toMatch(/^[\da-f-]{36}$/)
  })

  it('answers 401 without a valid token, before every other check', async () => {
    for (const token of [null, '', 'x', `${catalog.workspace.token}x`]) {
      for (const query of ['?type=medication', '', '?type=nonsense&limit=x']) {
        const answer = await call(token, method, path + query, {
          ...init,
          ...(method === 'POST' ? csvBody('"') : {}),
        })
        expect(answer.status).toBe(401)
        expect(answer.headers.get('WWW-Authenticate')).toMatch(/^Bearer/)
      }
    }
  })

  it('answers 403 to a token without its scope, before it checks the query and the body', async () => {
    const token = await tokenWithout(scope, catalog.workspace)
    for (const query of ['?type=medication', '?type=nonsense']) {
      const answer = await call(token, method, path + query, init)
      expect(answer.status).toBe(403)
      expect((answer.body as { message: string }).message).toContain(scope)
    }
    expect((await catalog.list()).total).toBe(1)
    expect((await catalog.searchStatus()).enabled).toBe(false)
  })

  it('answers 405 to other methods, naming the ones that it takes', async () => {
    const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(
      (other) => !endpoints.some((endpoint) => endpoint.method === other && endpoint.path === path),
    )
    for (const other of others) {
      const answer = await call(catalog.workspace.token, other, target)
      expect(answer.status, other).toBe(405)
      const allowed = endpoints.filter((endpoint) => endpoint.path === path).map((endpoint) => endpoint.method)
      expect(answer.headers.get('Allow')?.split(', ').sort()).toEqual(allowed.sort())
    }
  })
})

describe.each(typed)('the type of $method $path', ({ method, path, init }) => {
  it('is sent once and is one of the four types, which a refusal names', async () => {
    const queries = ['', 'type=', 'type=drug', 'type=Medication', 'Type=medication']
    const repeated = ['type=medication&type=medication', 'type=symptom&type=medication']
    const names = 'must be one of medication, lab_test, symptom, diagnosis'
    for (const query of [...queries, ...repeated]) {
      const { status, body } = await call(catalog.workspace.token, method, `${path}?${query}`, init)
      expect(status, query).toBe(400)
      expect(body).toMatchObject({
        message: `type ${repeated.includes(query) ? 'must be sent at most once, and ' : ''}${names}`,
        errors: expect.arrayContaining([expect.objectContaining({ index: null, field: 'type' })]),
      })
    }
    expect(await catalog.ids()).toEqual(['a'])
  })
})

describe('query parameters', () => {
  const refused = async (method: string, path: string, query: string, field: string, init: RequestInit = {}) => {
    const { status, body } = await call(
      catalog.workspace.token,
      method,
      `${DATASETS}${path}?type=medication&${query}`,
      init,
    )
    expect(status, query).toBe(400)
    expect(body, query).toMatchObject({ errors: [{ index: null, field }] })
  }

  it.each(['/', '/batches/'])('limit and offset of %s are whole numbers in bounds, never clamped', async (path) => {
    for (const value of [
      '0',
      '1001',
      '-1',
      '1.5',
      '1e2',
      '',
      '%20',
      'ten',
      '0x10',
      '+5',
      '10,5',
      '99999999999999999999',
      '１',
    ])
      await refused('GET', path, `limit=${value}`, 'limit')
    for (const value of ['-1', '0.5', '', 'x', '99999999999999999999', '-0'])
      await refused('GET', path, `offset=${value}`, 'offset')
    await refused('GET', path, 'limit=1&limit=2', 'limit')
    await refused('GET', path, 'offset=0&offset=0', 'offset')
    for (const query of ['limit=1', 'limit=1000', 'offset=0', 'offset=5', 'limit=10&offset=999999']) {
      const answer = await call(catalog.workspace.token, 'GET', `${DATASETS}${path}?type=medication&${query}`)
      expect(answer.status, query).toBe(200)
    }
  })

  it('show_inactive is 1 or absent', async () => {
    for (const value of ['0', 'true', '', '11', '1&show_inactive=1'])
      await refused('GET', '/', `show_inactive=${value}`, 'show_inactive')
  })

  it('format is json or csv; q and updated_since are sent once', async () => {
    for (const query of ['format=xml', 'format=', 'format=CSV', 'format=csv&format=csv'])
      await refused('GET', '/', query, 'format')
    await refused('GET', '/', 'q=a&q=b', 'q')
    await refused('GET', '/', 'updated_since=2026-01-01&updated_since=2026-01-01', 'updated_since')
  })

  it('mode, dry_run, confirm_shrink and expected_revision of a write take nothing else', async () => {
    const init = VALID.writeRecords!
    for (const value of ['', 'replace', 'Upsert', 'upsert&mode=upsert'])
      await refused('POST', '/', `mode=${value}`, 'mode', init)
    for (const flag of ['dry_run', 'confirm_shrink']) {
      for (const value of ['', '1', '0', 'yes', 'TRUE', `true&${flag}=true`])
        await refused('POST', '/', `${flag}=${value}`, flag, init)
    }
    for (const value of ['', '-1', '1.0', 'x', '1&expected_revision=1']) {
      await refused('POST', '/', `expected_revision=${value}`, 'expected_revision', init)
    }
    expect(await catalog.ids()).toEqual(['a'])
  })

  it('are refused before the body is read', async () => {
    const answer = await catalog.send(
      'POST',
      '/',
      { mode: 'x' },
      { body: 'x', headers: { 'Content-Type': 'image/png' } },
    )
    expect(answer.status).toBe(400)
  })

  it('that the endpoint does not have are refused, with the name that was meant', async () => {
    const answer = await catalog.send('POST', '/', { mode: 'reconcile', dryRun: 'true' }, jsonBody([]))
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('did you mean dry_run?'),
      errors: [{ index: null, field: 'dryRun', code: 'unknown_parameter' }],
    })
    expect(await catalog.ids()).toEqual(['a'])
  })
})

describe('a content type that an endpoint does not take', () => {
  it('is answered 415, naming the types that it takes', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/x-ndjson',
      'application/octet-stream',
      'application/x-www-form-urlencoded',
      '',
      'json',
    ]) {
      const init = { body: '[]', headers: { 'Content-Type': type } }
      const write = await catalog.send('POST', '/', {}, init)
      expect(write.status, type).toBe(415)
      expect((write.body as { message: string }).message).toContain('text/csv')
      expect((await catalog.send('POST', '/search-status/', {}, init)).status).toBe(415)
    }
    const csv = await catalog.send('POST', '/search-status/', {}, csvBody('enabled\ntrue'))
    expect(csv.status).toBe(415)
  })

  it('is JSON in any spelling and with parameters', async () => {
    for (const type of ['Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="utf-8"']) {
      const init = { body: JSON.stringify([catalog.record('b')]), headers: { 'Content-Type': type } }
      expect((await catalog.send('POST', '/', {}, init)).status).toBe(200)
    }
  })

  it.each([
    ['no boundary', 'multipart/form-data', '--b\r\n\r\n--b--'],
    ['no parts', 'multipart/form-data; boundary=b', ''],
    [
      'another field',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\nid,name\r\n--b--\r\n',
    ],
    [
      'no end',
      'multipart/form-data; boundary=b',
      '--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nid,na',
    ],
    [
      'two files',
      'multipart/form-data; boundary=b',
      `${'--b\r\nContent-Disposition: form-data; name="file"; filename="x"\r\n\r\nid,name\r\n'.repeat(2)}--b--\r\n`,
    ],
  ])('is a 400 for a form with %s', async (_, type, body) => {
    const answer = await catalog.send('POST', '/', {}, { body, headers: { 'Content-Type': type } })
    expect(answer.status, answer.text).toBe(400)
  })

  it('is a 400 for an empty CSV and for one without a header row', async () => {
    for (const csv of ['', '\n\n', '\uFEFF', 'PK\u0003\u0004']) {
      expect((await catalog.send('POST', '/', {}, csvBody(csv))).status, JSON.stringify(csv)).toBe(400)
    }
  })
})

describe('paths that do not exist', () => {
  it('are 401 without a token and 404 with one', async () => {
    const paths = [`${DATASETS}/a/b/`, `${DATASETS}/batches/x`, '/admin/datasets/v2/', '/admin', '/medical-db/v1']
    for (const path of paths) {
      const headers = { Authorization: `Bearer ${catalog.workspace.token}` }
      const found = await service(path, { headers })
      expect([path, found.status]).toEqual([path, 404])
      expect(await found.json()).toEqual({ success: false, message: expect.any(String) })
      expect([path, (await service(path)).status]).toEqual([path, 401])
    }
  })
})
