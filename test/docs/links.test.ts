import { describe, expect, it } from 'vitest'
import { anchorsOf, documents, localLinks } from './documents'

const pictures = Object.keys(import.meta.glob('/docs/images/*.png', { query: '?url' }))
const schemas = Object.keys(import.meta.glob('/migrations/*.sql', { query: '?raw' }))

const sources = import.meta.glob(['/src/**/*.{ts,tsx}', '/test/**/*.ts', '/scripts/**/*.{ts,mjs}', '/bench/*.mjs'], {
  query: '?raw',
  import: 'default',
  eager: true,
}) as Record<string, string>

/** The path that a link means, from the root of the project. */
const resolved = (file: string, path: string): string =>
  path === '' ? file : new URL(path, `file:///${file}`).pathname.slice(1)

describe('the documents', () => {
  it('link to files and sections that exist', () => {
    const known = new Set([...documents.keys(), ...[...pictures, ...schemas].map((path) => path.slice(1))])
    const broken = localLinks().filter(({ file, target }) => {
      const [path = '', anchor] = target.split('#')
      const document = resolved(file, path)
      if (!known.has(document)) return true
      return anchor !== undefined && !anchorsOf(documents.get(document) ?? '').includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('are cited by sections that exist', () => {
    const cited = Object.entries(sources).flatMap(([source, text]) =>
      Array.from(text.matchAll(/\b(docs\/[\w-]+\.md)(?:#([\w-]+))?/g), ([, file, anchor]) => ({
        source,
        file: file!,
        anchor,
      })),
    )
    const broken = cited.filter(
      ({ file, anchor }) =>
        !documents.has(file) || (anchor !== undefined && !anchorsOf(documents.get(file)!).includes(anchor)),
    )
    expect(broken).toEqual([])
  })
})
