import { readFileSync } from 'node:fs'

const EXAMPLE = /^(.+\.md)\?example=([\w-]+)$/

/**
 * Lets tests import the examples of a document as modules: `guide.md?example=name` is the code block that begins with
 * `js name`. An example that cannot run fails its test.
 *
 * @returns a Vite plugin
 */
export const markdownExamples = () => ({
  name: 'markdown-examples',
  enforce: 'pre',
  load(id) {
    const [, file, name] = EXAMPLE.exec(id) ?? []
    if (file === undefined) return null
    const code = new RegExp(`^\`\`\`js ${name}\\n(.*?)^\`\`\`$`, 'ms').exec(readFileSync(file, 'utf8'))?.[1]
    if (code === undefined) throw new Error(`${file} has no example ${name}`)
    return { code, map: null }
  },
})
