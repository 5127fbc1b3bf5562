import css from './style.css?inline'

let sheet: CSSStyleSheet | undefined

/** Gives the style sheet to the document or shadow tree of an element. Needs no permission of a content policy. */
export function styleTreeOf(element: Element): void {
  const tree = element.getRootNode()
  if (!(tree instanceof Document || tree instanceof ShadowRoot)) return
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
  }
  if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets.push(sheet)
}
