export function newVerifier() {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64url')
}

export async function loginAddress(service, port, verifier) {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const query = new URLSearchParams({
    return_to: `http://127.0.0.1:${port}/`,
    code_challenge: Buffer.from(hash).toString('base64url'),
  })
  return `${service}/api/v1/auth/oidc/login?${query}`
}

export async function accessToken(service, code, verifier, workspaceId) {
  const response = await fetch(`${service}/api/v1/auth/session/token`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ code, code_verifier: verifier, workspace_id: workspaceId }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer.access_token
}
