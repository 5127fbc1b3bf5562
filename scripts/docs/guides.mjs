/**
 * The documents that the service serves as pages next to its API description: the guide for partners and the pages that
 * it links to. `src/worker/openapi/endpoints.ts` serves them.
 */
import { readFileSync } from 'node:fs'
import { cp, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Marked } from 'marked'
import { root } from '../wrangler.mjs'

const GUIDES = ['partners', 'contract', 'client']

const VECTORS = {
  'partner-tokens.json': 'partner-tokens.json',
  'encrypted-bodies.json': 'encrypted-bodies/accepted.json',
  'rfc7518-b1.json': 'encrypted-bodies/rfc7518-b1.json',
}

/**
 * A paragraph that links to a program. The program is inserted below it, because a page of the service has no files
 * next to it.
 */
const PROGRAM_LINK = /^.*\]\(\.\.\/(samples\/partner\/[\w-]+\.(\w+))\).*$/gm

const withPrograms = (text) =>
  text.replaceAll(
    PROGRAM_LINK,
    (line, file, kind) => `${line}\n\n\`\`\`${kind}\n${readFileSync(path.join(root, file), 'utf8')}\`\`\``,
  )

/** GitHub's anchor for a heading. */
const anchorOf = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-')

/** Makes scrollable elements focusable, and empty heading cells ordinary cells (WCAG 2.1.1, 1.3.1). */
const accessible = (html) => html.replaceAll('<pre>', '<pre tabindex="0">').replaceAll('<th></th>', '<td></td>')

/** The target of a document's link on the service; undefined if the target is not served. */
function targetOf(href) {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return /^(?:https:|#)/.test(href) ? href : undefined
  return GUIDES.includes(name) ? `/docs/${name}${anchor}` : undefined
}

const marked = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    link({ href, tokens }) {
      const target = targetOf(href)
      const text = this.parser.parseInline(tokens)
      return target === undefined ? text : `<a href="${target}">${text}</a>`
    },
    image({ href, text }) {
      return `<img src="/docs/${path.basename(href)}" alt="${text}">`
    },
    table(token) {
      const table = Object.getPrototypeOf(this).table.call(this, token)
      return `<div class="wide" tabindex="0">${table}</div>`
    },
  },
})

function pageOf(name) {
  const text = withPrograms(readFileSync(path.join(root, 'docs', `${name}.md`), 'utf8'))
  const [, title] = /^# (.+)$/m.exec(text) ?? []
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/guide.css">
</head>
<body>
<nav><a href="/docs">API description</a> <a href="/docs/partners">Partner guide</a> <a href="/docs/contract">Contract</a> <a href="/docs/client">Client</a></nav>
<main>
${accessible(marked.parse(text))}</main>
</body>
</html>
`
}

/** Writes the pages, their style sheet and images, and the test vectors to a folder. */
export async function buildGuides(folder) {
  await mkdir(folder, { recursive: true })
  for (const name of GUIDES) await writeFile(path.join(folder, `${name}.html`), pageOf(name))
  await cp(path.join(root, 'scripts', 'docs', 'guide.css'), path.join(folder, 'guide.css'))
  await cp(path.join(root, 'docs', 'images', 'search-box.png'), path.join(folder, 'search-box.png'))
  for (const [target, file] of Object.entries(VECTORS))
    await cp(path.join(root, 'test', 'vectors', file), path.join(folder, target))
}
