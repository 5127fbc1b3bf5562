import { html } from 'hono/html'
import { randomId } from '#worker/crypto/random'
import { pageHeaders } from '#worker/http/page-headers'

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
body { margin: 0; min-height: 100dvh; display: grid; place-items: center }
main { box-sizing: border-box; width: 100%; max-width: 28rem; padding: 1.5rem; overflow-wrap: anywhere }
h1 { margin: 1rem 0; font-size: 1.5rem; line-height: 1.25 }
a { color: light-dark(#0b7285, #53adb8) }
small { color: light-dark(#5c636a, #a9b0b7) }
`

type Html = ReturnType<typeof html>

/** A page of the login, and its headers. `formAction` is that of `pageHeaders`. */
export function loginPage(title: string, content: Html, formAction?: string) {
  const nonce = randomId('')
  const text = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Catalog console</title>
<link rel="icon" href="/console/icon.svg" type="image/svg+xml">
<style nonce="${nonce}">${STYLE}</style>
</head>
<body>
<main>
<img src="/console/icon.svg" alt="" width="40" height="40">
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`
  const headers = pageHeaders([`style-src 'nonce-${nonce}'`, "img-src 'self'"], formAction)
  return { text, headers: { ...headers, 'Cache-Control': 'no-store' } }
}
