/**
 * Pages that are changed by libraries: in every state the drug that a box shows is the one that is sent, or none is and
 * the box says so.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { ORDER } from './box'
import { describeOnSite } from './on-site'

const root = path.join(import.meta.dirname, '../../..')

/** A library as a script of a page. */
const library = (file: string) =>
  `<script>${readFileSync(path.join(root, 'node_modules', file), 'utf8').replaceAll('</script', '<\\/script')}</script>`

/** A page with a framework, as its bundler makes it. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'jsx', resolveDir: root },
    jsx: 'automatic',
    bundle: true,
    minify: true,
    define: {
      'process.env.NODE_ENV': '"development"',
      __VUE_OPTIONS_API__: 'true',
      __VUE_PROD_DEVTOOLS__: 'false',
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
    write: false,
  })
  const text = outputFiles[0]?.text.replaceAll('</script', '<\\/script')
  return `<script type="module">${text}</script>`
}

/** Rows whose fields belong to their places: after one is removed, an element gets the record of another one. */
const ROWS = `[{ id: 'M850', text: 'Metformin' }, { id: 'SYR', text: 'Zinc syrup' }]`

const REACT_FIELD = `
function Field({ drug, setDrug, label }) {
  const choose = ({ detail }) => setDrug({ id: detail.medication_id, text: detail.display_name ?? detail.name })
  return (
    <>
      <label htmlFor={label}>{label}</label>
      <catalog-search type="medication" name="drug_id" token-url="/catalog-token" value={drug.id} oncatalog-select={choose}>
        <input id={label} value={drug.text} onChange={({ target }) => setDrug({ id: '', text: target.value })} suppressHydrationWarning />
      </catalog-search>
    </>
  )
}
function Page() {
  const [rows, setRows] = useState(${ROWS})
  const set = (index) => (drug) => setRows((all) => all.map((one, n) => (n === index ? drug : one)))
  return (
    <form method="post" action="/order">
      {rows.map((drug, n) => <Field key={n} label={n === 0 ? 'Drug' : 'Other'} drug={drug} setDrug={set(n)} />)}
      <button type="button" onClick={() => setRows(rows.slice(1))}>Remove</button>
      <button>Order</button>
    </form>
  )
}`

const VUE = `
import { createApp, ref } from 'vue/dist/vue.esm-bundler.js'
const app = createApp({
  setup: () => ({ rows: ref(${ROWS}), labels: ['Drug', 'Other'] }),
  template: \`<form method="post" action="/order">
    <template v-for="(drug, n) in rows" :key="n">
      <label :for="labels[n]">{{ labels[n] }}</label>
      <catalog-search type="medication" name="drug_id" token-url="/catalog-token" :value="drug.id"
        @catalog-select="rows[n] = { id: $event.detail.medication_id, text: $event.detail.display_name ?? $event.detail.name }">
        <input :id="labels[n]" :value="drug.text" @input="rows[n] = { id: '', text: $event.target.value }">
      </catalog-search>
    </template>
    <button type="button" @click="rows.splice(0, 1)">Remove</button>
    <button>Order</button>
  </form>\`,
})
app.config.compilerOptions.isCustomElement = (tag) => tag === 'catalog-search'
app.mount('#root')`

describeOnSite('the search element in a page of', (at) => {
  /** What each box shows, what it says, and the id that the form sends for it. */
  const state = () =>
    at().visit.page.evaluate(() =>
      [...document.querySelectorAll('catalog-search')].map((box) => {
        const said = box.shadowRoot?.querySelector('[role=status]')?.textContent ?? ''
        const sent = new FormData(box.closest('form') ?? undefined).getAll('drug_id')
        const index = [...(box.closest('form')?.querySelectorAll('catalog-search') ?? [])].indexOf(box)
        return [box.querySelector('input')?.value, String(sent[index]), said.split(/[ :]/)[0]].join(' | ')
      }),
    )
  const shows = (...boxes: string[]) => expect.poll(state).toEqual(boxes)
  const [METFORMIN, ZINC, EMPTY, UNCHOSEN] = [
    'Metformin | M850 | Chosen',
    'Zinc syrup | SYR | Chosen',
    ' |  | ',
    'Metformin |  | Nothing',
  ]
  const run = (script: string) => at().visit.page.evaluate((code) => new Function(code)(), script)
  const press = (name: string) => at().visit.page.getByRole('button', { name }).click()
  const choose = async () => {
    const { box } = at()
    await box.input.fill('')
    await box.choose()
  }
  /** Rows of a framework: they begin with records, one is removed, its place is changed and emptied, and sent. */
  const walkThroughRows = async () => {
    const { box, site } = at()
    await shows(METFORMIN, ZINC)
    await press('Remove')
    await shows(ZINC)
    await box.input.fill('')
    await shows(EMPTY)
    await choose()
    await shows(METFORMIN)
    await box.type('x')
    await expect.poll(state).toEqual([expect.stringMatching(/^Metforminx \| {2}\| /)])
    await choose()
    await press('Order')
    await expect.poll(() => site.sent).toEqual(['drug_id=M850'])
  }

  it('React, rendered on the server and made alive after the element is there', async () => {
    const imports = `import { StrictMode, useState } from 'react'\nimport { hydrateRoot } from 'react-dom/client'`
    const server = `import { renderToString } from 'react-dom/server.browser'`
    const html = `<div id="root"></div>${await bundle(`${imports}\n${server}\n${REACT_FIELD}
      const page = <StrictMode><Page /></StrictMode>
      const root = document.querySelector('#root')
      root.innerHTML = renderToString(page)
      setTimeout(() => hydrateRoot(root, page), 300)`)}`
    const { visit } = await at().load(html)
    await walkThroughRows()
    expect(visit.faults).toEqual([])
  })

  it('Vue', async () => {
    await at().load(`<div id="root"></div>${await bundle(VUE)}`)
    await walkThroughRows()
  })

  it('jQuery, with a copy and an id that its script sets', async () => {
    await at().load(ORDER, { head: library('jquery/dist/jquery.min.js') })
    await choose()
    await run("$('catalog-search').clone(true).appendTo('form').find('input').attr('id', 'copy')")
    await shows(METFORMIN, UNCHOSEN)
    // What the guide says of it.
    expect(await run("return $('form').serialize()")).toBe('')
    expect(await run("return String(new URLSearchParams(new FormData($('form')[0])))")).toBe('drug_id=M850&drug_id=')
    await run("$('catalog-search').first().remove(); $('#copy').val('Zinc syrup').parent().prop('value', 'SYR')")
    await shows(ZINC)
    await run("$('#copy').val('')")
    await shows(EMPTY)
  })

  it('idiomorph, in the form that the server has sent', async () => {
    await at().load(ORDER, { head: library('idiomorph/dist/idiomorph.min.js') })
    await choose()
    await run(`Idiomorph.morph(document.querySelector('form'), ${JSON.stringify(ORDER)})`)
    await expect.poll(async () => [METFORMIN, EMPTY].includes(String(await state()))).toBe(true)
    await choose()
    await shows(METFORMIN)
  })

  it.each([
    ['htmx 1', 'htmx-1/dist/htmx.min.js'],
    ['htmx 2', 'htmx.org/dist/htmx.min.js'],
  ])('%s, with its history', async (_, file) => {
    const { visit } = await at().load(`<a href="/next" hx-boost="true">Next</a>${ORDER}`, { head: library(file) })
    await choose()
    await visit.page.getByRole('link', { name: 'Next' }).click()
    await visit.page.waitForURL('**/next')
    await shows(EMPTY)
    await visit.page.goBack()
    await visit.page.waitForURL((url) => url.pathname === '/')
    await expect.poll(async () => [EMPTY, UNCHOSEN].includes(String(await state()))).toBe(true)
    await choose()
    await shows(METFORMIN)
  })

  it('Turbo, with its cache and with morphing', async () => {
    const head = `<meta name="turbo-refresh-method" content="morph">${library('@hotwired/turbo/dist/turbo.es2017-umd.js')}`
    const { visit } = await at().load(`<a href="/next">Next</a>${ORDER}`, { head })
    await choose()
    await run('Turbo.visit(location.href, { action: "replace" })')
    await visit.page.waitForTimeout(500)
    await expect.poll(async () => [METFORMIN, EMPTY].includes(String(await state()))).toBe(true)
    await choose()
    await visit.page.getByRole('link', { name: 'Next' }).click()
    await visit.page.waitForURL('**/next')
    await shows(EMPTY)
    await visit.page.goBack()
    await expect.poll(async () => [EMPTY, UNCHOSEN].includes(String(await state()))).toBe(true)
    await choose()
    await shows(METFORMIN)
  })
})
