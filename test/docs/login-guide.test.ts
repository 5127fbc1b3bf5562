import { expect, it, vi } from 'vitest'
import { accessToken, loginAddress, newVerifier } from '../../samples/login/command-line-login.mjs'
import { callLogin, logIn, workspaceOf } from '../support/logins'
import { bearer } from '../support/service'

const SERVICE = 'https://catalog.test'
const ADMIN = 'admin@clinic.example'

/** Logs in at the URL that a command-line client opens, and reads the code from the final URL. */
async function codeFrom(address: string): Promise<string> {
  const { response } = await logIn(ADMIN, Object.fromEntries(new URL(address).searchParams))
  const location = new URL(response.headers.get('Location')!)
  expect(location.origin).toBe('http://127.0.0.1:4711')
  return location.searchParams.get('code')!
}

it("the guide's command-line login gets a workspace's access token, or throws the service's message", async () => {
  const workspaceId = await workspaceOf(ADMIN, 'editor')
  const verifier = newVerifier()
  const code = await codeFrom(await loginAddress(SERVICE, 4711, verifier))
  vi.spyOn(globalThis, 'fetch').mockImplementation((url, init) =>
    callLogin(String(url).slice(SERVICE.length), init as RequestInit),
  )
  const token = await accessToken(SERVICE, code, verifier, workspaceId)
  expect((await callLogin('/admin/datasets/v1/?type=symptom', { headers: bearer(token) })).status).toBe(200)
  await expect(accessToken(SERVICE, code, verifier, workspaceId)).rejects.toThrow(/code/)
})
