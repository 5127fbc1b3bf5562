import { describe, expect, it } from 'vitest'
import { anchorsOf } from '../markdown'
import { documents, filesBelow, localLinks, textOf } from './documents'

const sources = ['src', 'test', 'scripts', 'bench'].flatMap(filesBelow).filter((file) => /\.(?:tsx?|mjs)$/.test(file))

/** The path that a link means, from the root of the project. */
const resolved = (file: string, path: string): string =>
  path === '' ? file : new URL(path, `file:///${file}`).pathname.slice(1)

describe('the documents', () => {
  it('link to files and sections that exist', () => {
    const known = new Set([...documents.keys(), ...['docs/images', 'migrations', 'samples'].flatMap(filesBelow)])
    const broken = localLinks().filter(({ file, target }) => {
      const [path = '', anchor] = target.split('#')
      const document = resolved(file, path)
      if (!known.has(document)) return true
      return anchor !== undefined && !anchorsOf(documents.get(document) ?? '').includes(anchor)
    })
    expect(broken).toEqual([])
  })

  it('are cited by sections that exist', () => {
    const cited = sources.flatMap((source) =>
      Array.from(textOf(source).matchAll(/\b(docs\/[\w-]+\.md)(?:#([\w-]+))?/g), ([, file, anchor]) => ({
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
