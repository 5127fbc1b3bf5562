import css from './style.css?inline'

const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

/**
 * Adds the style sheet to a document or shadow tree. This works under every Content Security Policy.
 *
 * @returns whether it is new there
 */
export function styleTree(tree: Node): boolean {
  if (!(tree instanceof Document || tree instanceof ShadowRoot) || tree.adoptedStyleSheets.includes(sheet)) return false
  tree.adoptedStyleSheets.push(sheet)
  return true
}
