/** The documents of the project and other files as they are, for the tests. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { withoutCode } from '../markdown'

const root = path.join(import.meta.dirname, '../../..')

/** Paths of the files below a folder, from the root of the project. */
export const filesBelow = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => path.extname(name) !== '' && !name.includes('/node_modules/'))

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

const PAGES = ['docs', 'bench'].flatMap(filesBelow).filter((file) => /^\w+\/[^/]+\.md$/.test(file))

/** Text of each document, by its path from the root of the project. */
export const documents: ReadonlyMap<string, string> = new Map(
  ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'samples/README.md', ...PAGES].map((file) => [file, textOf(file)]),
)

export interface Link {
  file: string
  target: string
}

/** Links and images of every document with a target in the project. */
export function localLinks(): Link[] {
  return [...documents].flatMap(([file, text]) =>
    Array.from(withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => ({
      file,
      target: target!,
    })).filter(({ target }) => !/^https?:/.test(target)),
  )
}
