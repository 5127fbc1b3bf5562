/**
 * Pages that libraries change. In every state, either the form sends the medication that a box shows, or it sends none
 * and the box says so.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'
import { compileScript, parse } from 'vue/compiler-sfc'
import { describeOnSite, ORDER } from './site'

const root = path.join(import.meta.dirname, '../../..')

/** A library as a script of a page. */
const library = (file: string) =>
  `<script>${readFileSync(path.join(root, 'node_modules', file), 'utf8').replaceAll('</script', '<\\/script')}</script>`

/** A page with a framework, as built by its bundler. */
async function bundle(contents: string): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents, loader: 'tsx', resolveDir: root },
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
  return `<div id="root"></div><script type="module">${text}</script>`
}

/** A program that docs/partners.md links to. */
const sample = (name: string): string => readFileSync(path.join(root, 'samples', 'partner', name), 'utf8')

/** The guide's field on a server-rendered page. */
function reactPage(): Promise<string> {
  return bundle(`${sample('drug-field.tsx').replace('<input ', '<input suppressHydrationWarning ')}
import { StrictMode, useState } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server.browser'
function Page() {
  const [drug, setDrug] = useState({ id: 'M850', text: 'Metformin' })
  const [note, setNote] = useState('')
  return (
    <form action={async (data) => setNote(\`saved \${data.get('drug_id')}\`)}>
      <label htmlFor="drug">Drug</label>
      <DrugField drug={drug} setDrug={setDrug} />
      <button type="button" onClick={() => setDrug({ id: '', text: '' })}>Clear</button>
      <button type="button" onClick={() => setDrug({ ...drug, text: 'Metformin XR' })}>Rename</button>
      <button type="button" onClick={() => setDrug({ id: 'SYR', text: 'Zinc syrup' })}>Usual</button>
      <output>{drug.id}</output>
      <p>{note}</p>
      <button>Save</button>
      <button formMethod="post" formAction="/order">Order</button>
    </form>
  )
}
const page = <StrictMode><Page /></StrictMode>
const root = document.querySelector('#root')
root.innerHTML = renderToString(page)
setTimeout(() => hydrateRoot(root, page), 300)`)
}

/** The guide's field in rows keyed by position: after a row is removed, a field gets another record. */
function vuePage(): Promise<string> {
  const templateParseOptions = { isCustomElement: (tag: string) => tag === 'catalog-search' }
  const { descriptor } = parse(sample('drug-field.vue'), { templateParseOptions })
  const field = compileScript(descriptor, { id: 'field', inlineTemplate: true })
  return bundle(`${field.content.replace('export default', 'const DrugField =')}
import { createApp, ref } from 'vue/dist/vue.esm-bundler.js'
createApp({
  components: { DrugField },
  setup: () => ({ rows: ref([{ id: 'M850', text: 'Metformin' }, { id: 'SYR', text: 'Zinc syrup' }]) }),
  template: \`<form method="post" action="/order">
    <label for="drug">Drug</label>
    <DrugField v-for="(drug, n) in rows" :key="n" v-model="rows[n]" />
    <button type="button" @click="rows.splice(0, 1)">Remove</button>
    <button type="reset">Reset</button>
    <output>{{ rows.map(({ id }) => id).join() }}</output>
    <button>Order</button>
  </form>\`,
}).mount('#root')`)
}

describeOnSite('the search element in a page of', (at) => {
  /** The text of each box, the ID that the form sends for it, and its status. */
  const state = () =>
    at().visit.page.evaluate(() =>
      [...document.querySelectorAll('catalog-search')].map((box, n) => {
        const said = box.shadowRoot?.querySelector('[role=status]')?.textContent ?? ''
        const sent = new FormData(box.closest('form') ?? undefined).getAll('drug_id')
        return [box.querySelector('input')?.value, String(sent[n]), said.split(/[ :]/)[0]].join(' | ')
      }),
    )
  const shows = (...boxes: string[]) => expect.poll(state).toEqual(boxes)
  const showsOneOf = (...boxes: string[]) => expect.poll(async () => boxes.includes(String(await state()))).toBe(true)
  const METFORMIN = 'Metformin | M850 | Chosen'
  const ZINC = 'Zinc syrup | SYR | Chosen'
  const EMPTY = ' |  | '
  const UNCHOSEN = 'Metformin |  | Nothing'
  const choose = async () => {
    await at().box.choose()
    await shows(METFORMIN)
  }
  /** Navigates to another page, and back to the library's saved copy of this one. */
  const goAndComeBack = async () => {
    const { page } = at().visit
    await page.getByRole('link', { name: 'Next' }).click()
    await page.waitForURL('**/next')
    await shows(EMPTY)
    // The URL changes before the page does.
    await page.evaluate(() => document.querySelector('catalog-search')?.setAttribute('data-next', ''))
    await page.goBack()
    await page.waitForURL((url) => url.pathname === '/')
    await page.locator('[data-next]').waitFor({ state: 'detached' })
    await showsOneOf(EMPTY, UNCHOSEN)
    await choose()
  }

  const inState = (id: string) => expect.poll(() => at().visit.page.locator('output').innerText()).toBe(id)

  it('React: the state contains text and ID of a choice, and the form sends what is shown', async () => {
    const { box, visit, site, click, expectSent } = await at().load(await reactPage())
    await shows(METFORMIN)
    await visit.page.waitForTimeout(400)
    await box.find('zinc')
    await inState('')
    await choose()
    await inState('M850')
    // React resets the form of an action: a choice in its state stays.
    await click('Save')
    await visit.page.getByText('saved M850').waitFor()
    await shows(METFORMIN)
    await inState('M850')
    await click('Rename')
    await shows('Metformin XR |  | Nothing')
    await inState('')
    await click('Order')
    expect(site.sent).toEqual([])
    await click('Clear')
    await shows(EMPTY)
    await click('Usual')
    await shows(ZINC)
    await click('Order')
    await expectSent('drug_id=SYR')
    expect(visit.faults).toEqual([])
  })

  it('Vue, after one of several rows is removed', async () => {
    const { box, click, expectSent } = await at().load(await vuePage())
    await shows(METFORMIN, ZINC)
    await click('Remove')
    await shows(ZINC)
    await box.input.fill('')
    await shows(EMPTY)
    await choose()
    await inState('M850')
    // Vue and its state keep the text.
    await click('Reset')
    await shows(METFORMIN)
    await inState('M850')
    await click('Order')
    await expectSent('drug_id=M850')
  })

  it('jQuery, with a copy and an ID that its script sets', async () => {
    const { box } = await at().load(ORDER, { head: library('jquery/dist/jquery.min.js') })
    await choose()
    await box.run("$('catalog-search').clone(true).appendTo('form').find('input').attr('id', 'copy')")
    await shows(METFORMIN, UNCHOSEN)
    // As the guide describes it.
    expect(await box.run("return $('form').serialize()")).toBe('')
    expect(await box.run('return String(new URLSearchParams(new FormData(form)))')).toBe('drug_id=M850&drug_id=')
    await box.run("$('catalog-search').first().remove(); $('#copy').val('Zinc syrup').parent().prop('value', 'SYR')")
    await shows(ZINC)
    await box.run("$('#copy').val('')")
    await shows(EMPTY)
  })

  it('idiomorph, in the form sent by the server', async () => {
    const { box } = await at().load(ORDER, { head: library('idiomorph/dist/idiomorph.min.js') })
    await choose()
    await box.run(`Idiomorph.morph(form, ${JSON.stringify(ORDER)})`)
    await showsOneOf(METFORMIN, EMPTY)
    await choose()
  })

  it.each(['htmx-1', 'htmx.org'])('htmx, with its history: %s', async (name) => {
    const head = library(`${name}/dist/htmx.min.js`)
    await at().load(`<a href="/next" hx-boost="true">Next</a>${ORDER}`, { head })
    await choose()
    await goAndComeBack()
  })

  it('Turbo, with its cache and with morphing', async () => {
    const head = `<meta name="turbo-refresh-method" content="morph">${library('@hotwired/turbo/dist/turbo.es2017-umd.js')}`
    const { box, visit } = await at().load(`<a href="/next">Next</a>${ORDER}`, { head })
    await choose()
    const rendered = visit.page.evaluate(
      () => new Promise((resolve) => addEventListener('turbo:render', () => resolve(true), { once: true })),
    )
    await box.run('Turbo.visit(location.href, { action: "replace" })')
    await rendered
    await showsOneOf(METFORMIN, EMPTY)
    await choose()
    await goAndComeBack()
  })
})
