import './demo.css'
import { ServiceClient } from '#client/client'
import { ServiceError } from '#client/service-error'
import type { CatalogSearch } from '../catalog-search'

/** Most events on the page. */
const SHOWN_EVENTS = 20

/** Sends requests with only the browser's session cookie. */
const visitor = new ServiceClient()

const find = <E extends Element>(selector: string): E => {
  const element = document.querySelector<E>(selector)
  if (element === null) throw new Error(`the page has no ${selector}`)
  return element
}

const state = find<HTMLElement>('#state')
const form = find<HTMLFormElement>('#form')
const workspaces = find<HTMLSelectElement>('#workspace')

/** The user's own access token, in place of a partner's backend. */
const authToken = () =>
  visitor.post('/api/v1/auth/session/token', { body: { workspace_id: workspaces.value || undefined } })

/** @throws ServiceError 401 if no one is logged in, 404 if login is not configured */
async function begin(): Promise<void> {
  const { email, items } = await visitor.get('/api/v1/auth/session/workspaces')
  workspaces.append(...items.map(({ workspace_id, name }) => new Option(name, workspace_id)))
  find<HTMLElement>('#workspaces').hidden = items.length < 2
  state.textContent = `Logged in as ${email}.`
  form.hidden = false
  giveToken()
}

function giveToken(): void {
  // A separate function for each workspace: boxes with the same function share a session.
  const token = () => authToken()
  for (const box of form.querySelectorAll<CatalogSearch>('catalog-search')) {
    box.clear?.()
    // Without this, the new function would reuse the session of the previous one.
    box.authToken = null
    box.authToken = token
  }
}

function refuse(error: unknown): void {
  const isStranger = error instanceof ServiceError && error.status === 401
  find<HTMLElement>('#login').hidden = !isStranger
  state.textContent = isStranger ? 'Log in to search.' : `There is no login: ${String(error)}`
}

const events: string[] = []

function showEvent(event: Event): void {
  const { type, target, detail } = event as CustomEvent
  const name = target instanceof Element ? target.getAttribute('name') : ''
  events.unshift(`${type} of ${name}: ${JSON.stringify(detail)}`)
  events.length = Math.min(events.length, SHOWN_EVENTS)
  find<HTMLElement>('#events').textContent = events.join('\n')
}

for (const name of ['catalog-select', 'catalog-clear', 'catalog-error']) {
  form.addEventListener(name, showEvent)
}
workspaces.addEventListener('change', giveToken)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const sent = [...new FormData(form)].map(([name, value]) => `${name}=${String(value)}`)
  find<HTMLElement>('#sent').textContent = sent.join('\n')
})
await begin().catch(refuse)
