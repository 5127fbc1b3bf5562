import { TYPES } from './rows'
import type { SessionControl } from './session-control'

/** Attributes that bind the typed text instead of the ID: the target of an `input` event is the inner input. */
const TEXT_BINDINGS = /^(x-model|ngdefaultcontrol)/

/** @returns why the element cannot work the way the page uses it; undefined if it can */
export function setupErrorOf(element: SessionControl): string | undefined {
  const { form, name, type } = element
  if (!TYPES.includes(type)) return `type="${type}" is not ${TYPES}`
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    if (name && !form && root.host.closest('form')) return 'the form is outside of the shadow tree'
  const binding = element.getAttributeNames().find((each) => TEXT_BINDINGS.test(each))
  return binding && `${binding} binds the text, not the id`
}
