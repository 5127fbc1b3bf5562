import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const root = path.join(import.meta.dirname, '../../..')
const library = path.join(root, 'node_modules/@mantine/core')
const built = path.join(root, 'dist/assets/console/assets')

const textOf = (file: string): string => readFileSync(file, 'utf8').trim()

const allStyles = textOf(path.join(library, 'styles.css'))

/** The style files of the library that the console imports, in its order. */
const imported = Array.from(
  textOf(path.join(root, 'src/console/mantine.css')).matchAll(/@import "@mantine\/core\/(.+?)";/g),
  ([, name]) => ({ name, text: textOf(path.join(library, name!)) }),
)

/** The classes of the library's style files that occur in a text. Their names are made from their content. */
const classesIn = (text: string): ReadonlySet<string> => new Set(text.match(/\bm_[0-9a-f]+\b/g))

const builtText = (extension: string): string =>
  readdirSync(built)
    .filter((name) => name.endsWith(extension))
    .map((name) => textOf(path.join(built, name)))
    .join('\n')

describe('the styles of the component library', () => {
  it('are there for every component that the console uses', () => {
    const known = classesIn(allStyles)
    const styled = classesIn(builtText('.css'))
    const used = [...classesIn(builtText('.js'))].filter((name) => known.has(name))
    expect(used.length).toBeGreaterThan(100)
    expect(used.filter((name) => !styled.has(name))).toEqual([])
  })

  it('are there for no component that the console does not use', () => {
    const used = classesIn(builtText('.js'))
    const idle = imported.filter(({ text }) => {
      const classes = [...classesIn(text)]
      return classes.length > 0 && !classes.some((name) => used.has(name))
    })
    expect(idle.map(({ name }) => name)).toEqual([])
  })

  it('come in the order of the library, in which later rules win', () => {
    const places = imported.map(({ text }) => allStyles.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})
