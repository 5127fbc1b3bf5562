import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json'
import { createDemo, loadSamples } from '../../scripts/local/demo.mjs'
import { requestToken } from '../support/credentials'
import { callService, type Fetch } from '../support/service'
import { runShell, type ShellHost } from '../support/shell'
import { documents } from './documents'

const samples = import.meta.glob('/samples/*.csv', {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>

const scripts = Object.keys(import.meta.glob(['/scripts/*.mjs', '/bench/*.mjs']))

interface Example {
  script: string
  /** The answer that the document shows, if it shows one. */
  answer: string | undefined
}

/** The shell examples of a document that call the service, in its order. */
const examplesOf = (text: string): Example[] =>
  Array.from(text.matchAll(/^```sh\n(.*?)^```$(?:\s*^```json\n(.*?)^```$)?/gms), ([, script, answer]) => ({
    script: script!,
    answer,
  })).filter(({ script }) => /\bcurl\b/.test(script))

/** `…` in a document stands for any value; members that it leaves out are not compared. */
function shown(value: unknown): unknown {
  if (value === '…') return expect.anything()
  if (Array.isArray(value)) return value.map(shown)
  if (typeof value !== 'object' || value === null) return value
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)])),
  )
}

const pathOf = (url: string): string => url.replace(/^https?:\/\/[^/]+/, '')

async function tokenOf(credentials: { client_id: string; client_secret: string; api_key: string }) {
  const { client_id: clientId, client_secret: clientSecret, api_key: apiKey } = credentials
  const response = await requestToken({ clientId, clientSecret, apiKey })
  return (await response.json<{ access_token: string }>()).access_token
}

/**
 * A shell and a service with the demo workspace of `npm start`.
 *
 * @param fetch function with which the examples call the service
 * @param withSamples also loads the sample catalogs, which takes most of the time
 */
async function demoShell(fetch: Fetch, withSamples: boolean): Promise<ShellHost> {
  const service = {
    origin: 'http://localhost:8787',
    operatorToken: env.PLATFORM_ADMIN_TOKEN!,
    fetch: (url: string, init?: RequestInit) => callService(pathOf(url), init),
  }
  const credentials = await createDemo(service)
  if (withSamples) await loadSamples(service, credentials, async (file) => samples[`/samples/${file}`]!)
  return {
    fetch: (url, init) => fetch(pathOf(url), init),
    readFile: (path) => {
      const text = samples[`/${path}`]
      if (text === undefined) throw new Error(`the project has no file ${path}`)
      return text
    },
    variables: new Map([
      ['CLIENT_ID', credentials.client_id],
      ['CLIENT_SECRET', credentials.client_secret],
      ['API_KEY', credentials.api_key],
      ['ISSUER', 'http://localhost:8787'],
      ['PLATFORM_ADMIN_TOKEN', env.PLATFORM_ADMIN_TOKEN!],
      ['TOKEN', await tokenOf(credentials)],
    ]),
  }
}

const withExamples = [...documents].filter(([, text]) => examplesOf(text).length > 0)

describe('the examples of the documents', () => {
  it.each(withExamples)(
    'work in %s as written',
    async (_file, text) => {
      const statuses: number[] = []
      const shell = await demoShell(async (path, init) => {
        const response = await callService(path, init)
        statuses.push(response.status)
        return response
      }, text.includes('samples/'))
      for (const { script, answer } of examplesOf(text)) {
        statuses.length = 0
        const output = await runShell(script, shell)
        const expected = answer === undefined ? undefined : JSON.parse(answer)
        if (expected !== undefined) expect(JSON.parse(output)).toEqual(shown(expected))
        const refused = statuses.filter((status) => status >= 400)
        expect(refused).toHaveLength(expected?.success === false ? 1 : 0)
        expect(statuses.length).toBeGreaterThan(0)
      }
    },
    30_000,
  )

  it('name commands that exist', () => {
    const text = [...documents.values()].join('\n')
    const commands = Array.from(text.matchAll(/npm run ([\w:-]+)/g), ([, name]) => name!)
    expect(commands.filter((name) => !(name in packageJson.scripts))).toEqual([])
    const files = Array.from(
      text.matchAll(/node ((?:scripts|bench)\/[\w-]+\.mjs)/g),
      ([, file]) => `/${file}`,
    )
    expect(files.filter((file) => !scripts.includes(file))).toEqual([])
  })
})
