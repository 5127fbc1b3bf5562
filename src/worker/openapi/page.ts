/** The page of `/docs`: Swagger UI. It loads nothing from another host and has no script in the page itself. */

import { OWN_SCRIPTS, pageHeaders } from '#worker/http/page-headers'

/** Served from the Worker's static assets; `scripts/assets.mjs` puts them there. */
export const ASSET_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-bundle.js.LICENSE.txt': 'text/plain; charset=utf-8',
  LICENSE: 'text/plain; charset=utf-8',
  NOTICE: 'text/plain; charset=utf-8',
}

export const INITIALISER = 'init.js'

export const DOCS_FILES: readonly string[] = [INITIALISER, ...Object.keys(ASSET_TYPES)]

export const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Dataset Catalog Service API</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
<div id="description"><noscript>This page needs JavaScript; the document itself is at /openapi.json.</noscript></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/${INITIALISER}"></script>
</body>
</html>
`

/** `validatorUrl: null` keeps Swagger UI from sending the document to its public validator. */
export const INITIALISER_JS = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#description',
  deepLinking: true,
  validatorUrl: null,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
})
`

/**
 * Styles need `unsafe-inline`: Swagger UI sets `style` attributes on what it renders and takes no nonce. Its icons are
 * `data:` images.
 */
export const PAGE_HEADERS = pageHeaders([...OWN_SCRIPTS, "style-src 'self' 'unsafe-inline'", "img-src 'self' data:"])
