/** The types of the search element in the client's package, in the projects of partners. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packClient } from '../../scripts/client/pack.mjs'
import { root } from '../../scripts/wrangler.mjs'

const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')
const [, example] = /^```tsx catalog-react\n(.*?)^```$/ms.exec(guide) ?? []

const PAGE = `
import type {} from 'dataset-catalog/element'
import type {} from 'dataset-catalog/vue'
import type { GlobalComponents } from 'vue'
const box = document.querySelector('catalog-search')
if (box !== null) box.authToken = async () => ({ access_token: 'token', expires_in: 900 })
box?.addEventListener('catalog-error', ({ detail }) => detail.status.toFixed())
export type Props = InstanceType<GlobalComponents['catalog-search']>['$props']
export const props: Props = { type: 'symptom', onCatalogSelect: ({ detail }) => detail.symptom_id }
`

let folder

/** Checks files of a project that has the package, and React and Vue as this project has them. @returns the errors */
function check(files) {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, types: [] },
    ...{ target: 'es2024', module: 'esnext', moduleResolution: 'bundler', jsx: 'react-jsx' },
  }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: Object.keys(files) }))
  const tsc = path.join(root, 'node_modules', '.bin', 'tsc')
  return spawnSync(tsc, ['-p', '.'], { cwd: folder, encoding: 'utf8' }).stdout.match(/^\S.*$/gm)
}

beforeAll(async () => {
  // Below the project, so that the types of React and Vue are found.
  mkdirSync(path.join(root, 'dist'), { recursive: true })
  folder = mkdtempSync(path.join(root, 'dist', 'element-types-'))
  await packClient(folder)
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const target = path.join(folder, 'node_modules', 'dataset-catalog')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', `dataset-catalog-${version}.tgz`, '-C', target, '--strip-components=1'], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('know the element and its events in React, in HTML and in Vue, and refuse what it does not have', () => {
  const wrong = example.replace('type="medication"', 'type="drug"').replace('token-url=', 'tokenurl=')
  const errors = check({ 'field.tsx': example, 'page.ts': PAGE, 'wrong.tsx': wrong })
  expect(errors).toEqual([expect.stringMatching(/^wrong\.tsx.*"drug"' is not assignable/)])
})
