import { env } from 'cloudflare:workers'
import { base64url } from 'jose'
import { describe, expect, it } from 'vitest'
import { forgetCached } from '#worker/storage/timed-cache'
import page from '../../docs/replacing-keys.md?raw'
import { callOperator, newSigningKey, newWorkspace, requestToken } from '../support/credentials'
import { LIST, newPartner, partnerTokenOf, type TestPartner } from '../support/partners'
import { bearer, bodyFrom, calling, dataFrom, type Fetch, jsonBody } from '../support/service'
import { encrypted, type SharedKey } from '../worker/encryption/support'
import { section } from './markdown'

interface Step {
  call: Fetch
  /** The line of the page. */
  text: string
}

/** The steps in a table of the page, each with a service that has the secrets after the step. */
function stepsOf(anchor: string, before: Record<string, string>, keys: { old: string; new: string }): Step[] {
  const [head, , ...lines] = section(page, anchor)
    .split('\n')
    .filter((line) => line.startsWith('|'))
  const cellsOf = (line: string): string[] => line.split('|').map((cell) => cell.trim().replaceAll('`', ''))
  const names = cellsOf(head!)
  const secretsOf = (line: string) =>
    cellsOf(line).flatMap((cell, index) => (/^[A-Z_]+$/.test(names[index]!) ? [[names[index]!, cell]] : []))
  const withKeys = (value: string): string => value.replace('old', keys.old).replace('new', keys.new)
  const serviceWith = (secrets: string[][]): Fetch =>
    calling(undefined, {
      ...env,
      ...Object.fromEntries(secrets.map(([name, value]) => [name, withKeys(value!)])),
    })
  return [
    { text: 'before', call: serviceWith(Object.entries(before)) },
    ...lines.map((text) => ({ text, call: serviceWith(secretsOf(text)) })),
  ]
}

/** Services in both roles that run at the same time around a step. */
const sideBySide = (steps: Step[], index: number): [one: Fetch, other: Fetch][] => {
  const [before, after] = [steps[Math.max(index - 1, 0)]!.call, steps[index]!.call]
  return [
    [before, after],
    [after, before],
  ]
}

describe("the page's steps that replace the signing key", () => {
  const newKey = async (kid: string): Promise<string> => JSON.stringify(await newSigningKey(kid))

  it('let every Worker verify what any Worker signs, and leave only the new key', async () => {
    const workspace = await newWorkspace()
    const keys = { old: await newKey('the old one'), new: await newKey('the new one') }
    const steps = stepsOf('signing-key', { SIGNING_KEYS: '[old]' }, keys)
    expect(steps).toHaveLength(4)
    for (const index of steps.keys()) {
      // When the old key is removed, its last tokens have expired.
      const pairs = sideBySide(steps, index).filter(
        ([sign]) => !steps[index]!.text.includes('an hour after') || sign === steps[index]!.call,
      )
      for (const [sign, verify] of pairs) {
        const { access_token } = await (await requestToken(workspace, sign)).json<{ access_token: string }>()
        const response = await verify(LIST, { headers: bearer(access_token) })
        expect(response.status, steps[index]!.text).toBe(200)
      }
    }
    const { keys: published } = await bodyFrom<{ keys: { kid: string }[] }>(
      steps.at(-1)!.call('/.well-known/jwks.json'),
    )
    expect(published.map(({ kid }) => kid)).toEqual(['the new one'])
  })
})

describe("the page's steps that replace the master key", () => {
  const DOCS = '/mr/api/v2/docs'
  const newKey = (): string => base64url.encode(crypto.getRandomValues(new Uint8Array(32)))

  interface Written {
    partner: TestPartner
    key: SharedKey
    documentId: string
  }

  const asPartner = async ({ partner }: Pick<Written, 'partner'>) => ({
    'X-Auth-Token': await partnerTokenOf(partner, { claims: { sub: 'Asha' } }),
  })

  /** Creates secrets and a document with one service. */
  async function write(call: Fetch): Promise<Written> {
    const partner = await newPartner({ call })
    const keys = `/workspaces/${partner.workspaceId}/encryption-keys`
    const key = await dataFrom<SharedKey>(callOperator(keys, {}, 'POST', call))
    const body = new FormData()
    body.append('file', new File(['%PDF-'], 'report.pdf'))
    const headers = await asPartner({ partner })
    const stored = await dataFrom<{ document_id: string }>(call(DOCS, { method: 'POST', headers, body }))
    return { partner, key, documentId: stored.document_id }
  }

  /** Uses all of them with another service, in an isolate without a cache of them. */
  async function read(call: Fetch, written: Written): Promise<void> {
    forgetCached(written.partner.kid)
    forgetCached(written.key.kid)
    const headers = await asPartner(written)
    await dataFrom(call(`${DOCS}/${written.documentId}`, { headers }))
    const body = await encrypted(JSON.stringify({ mobile_number: '+919812345678' }), written.key)
    const response = await call('/registration/v1/init', {
      method: 'POST',
      ...jsonBody(body, { ...headers, 'X-Encryption': 'JWE' }),
    })
    expect(response.status).toBe(200)
  }

  it('let every Worker read what any Worker has written, and need only the new key at the end', async () => {
    const steps = stepsOf('master-key', { MASTER_KEY: 'old' }, { old: newKey(), new: newKey() })
    expect(steps).toHaveLength(5)
    const everything: Written[] = []
    for (const [index, { text, call }] of steps.entries()) {
      for (const [writer, reader] of sideBySide(steps, index)) {
        const written = await write(writer)
        await read(reader, written)
        everything.push(written)
      }
      if (!text.includes('npm run reseal')) continue
      const { remaining } = await dataFrom<{ remaining: number }>(callOperator('/reseal', undefined, 'POST', call))
      expect(remaining).toBe(0)
    }
    for (const written of everything) await read(steps.at(-1)!.call, written)
  })
})
