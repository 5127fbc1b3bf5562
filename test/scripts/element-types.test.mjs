/** The types of the search element in the client's package, in the projects of partners. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { packClient } from '../../scripts/client/pack.mjs'
import { root } from '../../scripts/wrangler.mjs'

const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')
const [, example] = /^```tsx catalog-react\n(.*?)^```$/ms.exec(guide) ?? []

let folder

/** Checks a file of a project that has the package, and React and Vue as this project has them. */
function check(name, text) {
  writeFileSync(path.join(folder, name), text)
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--skipLibCheck',
    '--target',
    'es2024',
    '--module',
    'esnext',
  ]
  const { stdout } = spawnSync(
    path.join(root, 'node_modules', '.bin', 'tsc'),
    [...options, '--moduleResolution', 'bundler', '--jsx', 'react-jsx', '--types', '', name],
    { cwd: folder, encoding: 'utf8' },
  )
  return stdout.trim()
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

it('compile the page of the guide for React, and refuse what the element does not have', () => {
  expect(check('field.tsx', example)).toBe('')
  const wrong = example.replace('type="medication"', 'type="drug"').replace('token-url=', 'tokenurl=')
  expect(check('wrong.tsx', wrong)).toMatch(/"drug"' is not assignable/)
})

it('know the element and its events in HTML and in Vue', () => {
  const page = `
import type {} from 'dataset-catalog/element'
import type {} from 'dataset-catalog/vue'
import type { GlobalComponents } from 'vue'
const box = document.querySelector('catalog-search')
if (box !== null) box.authToken = async () => ({ access_token: 'token', expires_in: 900 })
box?.addEventListener('catalog-error', ({ detail }) => detail.status.toFixed())
export type Props = InstanceType<GlobalComponents['catalog-search']>['$props']
export const props: Props = { type: 'symptom', onCatalogSelect: ({ detail }) => detail.symptom_id }
`
  expect(check('page.ts', page)).toBe('')
})
