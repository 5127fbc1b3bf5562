import { setupFailure } from './failure'
import type { FormControl } from './form-control'
import { TYPES } from './rows'

/** Attributes of frameworks that would take the text for the id: events of the input are not those of the element. */
const TEXT_BINDINGS = /^(x-model|ngdefaultcontrol)/

/** @throws Failure if the page has the element in a way in which it cannot work */
export function requireSetup(element: FormControl): void {
  const { form, name } = element
  const type = element.getAttribute('type') ?? ''
  if (!TYPES.includes(type)) throw setupFailure(`type="${type}" is not ${TYPES}`)
  const binding = element.getAttributeNames().find((each) => TEXT_BINDINGS.test(each))
  if (binding) throw setupFailure(`${binding} binds the text, not the id`)
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode())
    if (name && !form && root.host.closest('form')) throw setupFailure('the form is outside of the shadow tree')
}
