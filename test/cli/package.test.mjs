import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../../scripts/wrangler.mjs'
import { csv, operator, put, runProgram, withWorkspace, workspace } from './workspace.mjs'

withWorkspace()

/** Maximum size of the client alone, compressed, in bytes. */
const MOST_BYTES_OF_CLIENT = 15_000

/** Uses every example of the guide. */
const GUIDE = `
import { connect } from './client-start.mjs'
import { nightly } from './client-sync.mjs'
import { addAspirin } from './client-list.mjs'
import { namesOf, suggestions } from './client-read.mjs'
import { status } from './client-call.mjs'
import { partnerClient } from './client-partner.mjs'
import { reasonOf } from './client-errors.mjs'
const { DCS_URL: baseUrl, DCS_CLIENT_ID: clientId, DCS_CLIENT_SECRET: clientSecret, DCS_API_KEY: apiKey } = process.env
const attempts = []
const client = connect({ baseUrl, clientId, clientSecret, apiKey, onAttempt: (one) => attempts.push(one) })
const { written } = await addAspirin(client)
const [stop] = await nightly(client, 'few.csv')
const { revision, active_records } = await status(client)
const names = await namesOf(client)
const partner = partnerClient({ ...JSON.parse(process.env.PARTNER), user: { id: 'user-7' } })
const found = await suggestions(partner, 'budesonide')
const refused = await reasonOf(client.post('/admin/datasets/v1/', { query: { type: 'symptom' }, body: [{ name: 'A' }] }))
const isThere = revision > 0 && written.total === 1
console.log(JSON.stringify({ stop, attempts, isWhole: names.length === active_records, isThere, found, refused }))
`

/** Uses of the element on partners' pages without a framework, and with Vue. */
const PAGE = `import type {} from 'dataset-catalog/element'
import type {} from 'dataset-catalog/vue'
import type { GlobalComponents } from 'vue'
const box = document.querySelector('catalog-search')
if (box !== null) box.authToken = async () => ({ access_token: 'token', expires_in: 900 })
box?.addEventListener('catalog-error', ({ detail }) => detail.status.toFixed())
export type Props = InstanceType<GlobalComponents['catalog-search']>['$props']
export const props: Props = { type: 'symptom', onCatalogSelect: ({ detail }) => detail.symptom_id }
`

const importsOf = (code) =>
  [...String(code).matchAll(/(?:\bfrom|\bimport)\s*\(?["']([^"']+)["']/g)].map(([, name]) => name).sort()

describe('the package', () => {
  const installed = (name) => path.join(workspace.folder, 'node_modules', 'dataset-catalog', name)

  it('is the file that the service names, with its digest', async () => {
    const info = await (await fetch(`${workspace.origin}/client/`)).json()
    const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'))
    expect(info).toMatchObject({ version, path: `/client/dataset-catalog-${version}.tgz` })
    for (const address of [info.path, '/client/latest.tgz']) {
      const response = await fetch(`${workspace.origin}${address}`)
      expect(response.headers.get('Repr-Digest')).toBe(info.digest)
      const hash = createHash('sha256').update(Buffer.from(await response.arrayBuffer()))
      expect(hash.digest('hex')).toBe(info.sha256)
    }
    expect((await fetch(`${workspace.origin}/client/dataset-catalog-0.0.1.tgz`)).status).toBe(404)
  })

  it('needs no other package, and its client is small', async () => {
    expect(await readdir(path.join(workspace.folder, 'node_modules'))).toEqual(
      expect.arrayContaining(['.bin', 'dataset-catalog']),
    )
    // No registry was available during the installation.
    const manifest = JSON.parse(await readFile(installed('package.json'), 'utf8'))
    expect(Object.keys(manifest).filter((name) => /dependencies/i.test(name))).toEqual([])
    const code = await readFile(installed('client.js'))
    expect(gzipSync(code).byteLength).toBeLessThan(MOST_BYTES_OF_CLIENT)
    expect(importsOf(code)).toEqual([])
    // Only the part for partners' servers needs a library, which partners install themselves.
    expect(importsOf(await readFile(installed('partner.js')))).toEqual(['./client.js', 'jose'])
  })

  it('has types for its calls and for the search element', async () => {
    const calls = await readFile(path.join(root, 'test', 'client', 'wrong-calls.ts'), 'utf8')
    const field = await readFile(path.join(root, 'samples', 'partner', 'drug-field.tsx'), 'utf8')
    const files = {
      'calls.ts': calls.replaceAll(/#client\/[\w-]+/g, 'dataset-catalog'),
      'field.tsx': field,
      'page.ts': PAGE,
      'wrong.tsx': field.replace('type="medication"', 'type="drug"').replace('token-url=', 'tokenurl='),
    }
    for (const [name, text] of Object.entries(files)) await put(name, text)
    // The packages that partners install in addition.
    await mkdir('node_modules/@types')
    for (const name of ['@types/react', 'vue'])
      await symlink(path.join(root, 'node_modules', name), `node_modules/${name}`)
    const compilerOptions = {
      ...{ noEmit: true, strict: true, skipLibCheck: true, types: [] },
      ...{ target: 'es2024', lib: ['es2024', 'dom', 'dom.asynciterable'], module: 'nodenext', jsx: 'react-jsx' },
    }
    await put('tsconfig.json', JSON.stringify({ compilerOptions, files: Object.keys(files) }))
    const { stdout } = await runProgram(path.join(root, 'node_modules', '.bin', 'tsc'), ['-p', '.'])
    expect(stdout.match(/^\S.*$/gm)).toEqual([expect.stringMatching(/^wrong\.tsx.*"drug"' is not assignable/)])
  })

  it('runs the examples of its guide', async () => {
    const guide = await readFile(path.join(root, 'docs', 'client.md'), 'utf8')
    const names = [...guide.matchAll(/^```js( client-\w+)?\n(.*?)^```$/gms)].map(([, name, code]) => {
      expect(name, `an example without a name is not run:\n${code}`).toBeDefined()
      return put(`${name.trim()}.mjs`, code).then(() => name.trim())
    })
    expect((await Promise.all(names)).sort()).toEqual(
      ['call', 'errors', 'list', 'partner', 'read', 'start', 'sync'].map((name) => `client-${name}`),
    )
    await put('few.csv', csv('C1,Example,', 'C2,Other,'))
    // The packages that the guide tells partners to install on servers.
    await symlink(path.join(root, 'node_modules/jose'), 'node_modules/jose')
    const partner = await newPartner()
    await put('guide.mjs', GUIDE)
    const { stdout, stderr } = await runProgram(process.execPath, ['guide.mjs'], {
      env: { PARTNER: JSON.stringify(partner) },
    })
    expect(stderr).toBe('')
    const found = JSON.parse(stdout)
    expect(found).toMatchObject({ stop: { code: 'shrink_guard' }, isWhole: true, isThere: true })
    expect(found.attempts[0]).toMatchObject({
      method: 'POST',
      path: '/admin/datasets/v1/',
      status: 200,
    })
    expect(found.found[0]).toMatch(/budesonide/i)
    expect(found.refused).toMatch(/^400 .*required/)
  })

  /** A partner of the workspace with a key for encrypted bodies. */
  async function newPartner() {
    const client = operator()
    const path = '/platform/v1/workspaces/{workspace_id}'
    const params = { workspace_id: workspace.id }
    const body = { issuer: 'https://partner.example' }
    return {
      baseUrl: workspace.origin,
      credential: await client.post(`${path}/partner-credentials`, { params, body }),
      key: await client.post(`${path}/encryption-keys`, { params, body: {} }),
    }
  }
})
