import { TYPES } from './rows'
import type { SessionControl } from './session-control'

/** Attributes by which frameworks would take the text for the id: events of the input are none of the element. */
const TEXT_BINDINGS = /^(x-model|ngdefaultcontrol)/

/** @returns why the element cannot work in the way in which the page has it; undefined if it can */
export function setupErrorOf(element: SessionControl): string | undefined {
  const { form, name, type } = element
  if (!TYPES.includes(type)) return `type="${type}" is not ${TYPES}`
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    if (name && !form && root.host.closest('form')) return 'the form is outside of the shadow tree'
  const binding = element.getAttributeNames().find((each) => TEXT_BINDINGS.test(each))
  return binding && `${binding} binds the text, not the id`
}
