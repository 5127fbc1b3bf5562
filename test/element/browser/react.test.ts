/** The React page of docs/partners.md, as printed there. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { beforeAll, expect, it } from 'vitest'
import { describeOnSite } from './on-site'

const root = path.join(import.meta.dirname, '../../..')

/** What the page does with the field of the guide: it begins with a record, clears it, and sets another text. */
const PAGE = `
import { StrictMode, useState } from 'react'
import { createRoot } from 'react-dom/client'
function Page() {
  const [drug, setDrug] = useState({ id: 'M850', text: 'Metformin' })
  return (
    <form method="post" action="/order">
      <label htmlFor="drug">Drug</label>
      <DrugField drug={drug} setDrug={setDrug} />
      <button type="button" onClick={() => setDrug({ id: '', text: '' })}>Clear</button>
      <button type="button" onClick={() => setDrug({ ...drug, text: 'Metformin XR' })}>Rename</button>
      <button type="button" onClick={() => setDrug({ id: 'ASP-1', text: 'Aspirin' })}>Usual</button>
      <output>{JSON.stringify(drug)}</output>
      <button>Order</button>
    </form>
  )
}
createRoot(document.querySelector('#root')).render(<StrictMode><Page /></StrictMode>)
`

async function page(): Promise<string> {
  const guide = readFileSync(path.join(root, 'docs', 'partners.md'), 'utf8')
  const [, example] = /^```tsx catalog-react\n(.*?)^```$/ms.exec(guide) ?? []
  const { outputFiles } = await build({
    stdin: { contents: `${example}${PAGE}`, loader: 'tsx', resolveDir: root },
    jsx: 'automatic',
    bundle: true,
    minify: true,
    write: false,
  })
  return `<div id="root"></div><script type="module">${outputFiles[0]?.text.replaceAll('</script', '<\\/script')}</script>`
}

describeOnSite('the search element on a page of React', (at) => {
  let html: string
  beforeAll(async () => {
    html = await page()
  })

  const press = (name: string) => at().visit.page.getByRole('button', { name }).click()
  const state = async () => JSON.parse(await at().visit.page.locator('output').innerText())
  it('keeps text and id of a choice in the state of the page, and sends what is shown after the page changes them', async () => {
    for (const [button, text, id] of [
      [undefined, 'Zinc syrup', 'SYR'],
      ['Clear', '', ''],
      ['Usual', 'Aspirin', 'ASP-1'],
    ] as const) {
      const { box, site } = await at().load(html)
      await box.input.fill('')
      await expect.poll(state).toEqual({ id: '', text: '' })
      await box.choose('zinc', 'Zinc')
      await expect.poll(state).toEqual({ id: 'SYR', text: 'Zinc syrup' })
      if (button) await press(button)
      await expect.poll(() => box.input.inputValue()).toBe(text)
      await press('Order')
      await expect.poll(() => site.sent).toEqual([`drug_id=${id}`])
    }
  })

  it('sends no record whose text the page has changed', async () => {
    const { box, site } = await at().load(html)
    await press('Rename')
    await expect.poll(() => box.value()).toBe('')
    await press('Order')
    await box.says('Nothing is chosen yet.')
    expect(site.sent).toEqual([])
  })
})
