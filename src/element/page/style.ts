/**
 * The look of what the element adds. It is in a cascade layer, so that any rule of the page outside of layers beats it.
 * Lengths grow with the text; colours are those of the system unless the page sets the custom properties.
 */
const CSS = `
@layer catalog-search {
  catalog-search { display: block; position: relative }
  catalog-search [hidden] { display: none !important }
  catalog-search [data-part="status"] {
    font-size: 0.875em; line-height: 1.4; min-block-size: 1.4em; overflow-wrap: anywhere;
  }
  catalog-search [data-part="popup"] {
    position: absolute; inset-inline: 0; inset-block-start: 100%; z-index: var(--catalog-search-z-index, 10);
    display: flex; flex-direction: column; max-block-size: min(24em, 60vh);
    background: var(--catalog-search-background, Canvas); color: var(--catalog-search-color, CanvasText);
    border: 1px solid var(--catalog-search-border, GrayText);
    border-radius: var(--catalog-search-radius, 0.25em);
    text-align: start;
  }
  catalog-search [data-part="popup"][inert] { opacity: 0.6 }
  catalog-search [data-part="list"] { overflow: auto; overscroll-behavior: contain }
  catalog-search [role="option"], catalog-search [data-part="heading"], catalog-search [data-part="more"] {
    padding: 0.5em 0.75em; overflow-wrap: anywhere;
  }
  catalog-search [role="option"] { cursor: pointer; min-block-size: 24px; border-block-start: 1px solid transparent }
  catalog-search [data-fresh] [role="option"] { pointer-events: none }
  catalog-search [data-part="member"] { padding-inline-start: 2em }
  catalog-search [role="option"]:hover, catalog-search [aria-selected="true"] {
    background: var(--catalog-search-active-background, color-mix(in srgb, CanvasText 10%, Canvas));
    color: var(--catalog-search-active-color, inherit);
  }
  catalog-search [aria-selected="true"] { outline: 2px solid; outline-offset: -2px }
  catalog-search [data-part="line"] { display: block }
  catalog-search [data-part="name"] { font-weight: 600 }
  catalog-search [data-part="heading"], catalog-search [data-part="more"] {
    font-size: 0.875em; font-weight: 600; border-block-start: 1px solid var(--catalog-search-border, GrayText);
  }
  catalog-search [data-part="state"] {
    position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
  }
  catalog-search [data-part="count"]::after { content: " \\25BE" / "" }
  catalog-search [data-open] [data-part="count"]::after { content: " \\25B4" / "" }
}`

let sheet: CSSStyleSheet | undefined

/** Gives the style sheet to the document or shadow tree of an element. Needs no permission of a content policy. */
export function styleTreeOf(element: Element): void {
  const tree = element.getRootNode()
  if (!(tree instanceof Document || tree instanceof ShadowRoot)) return
  if (sheet === undefined) {
    sheet = new CSSStyleSheet()
    sheet.replaceSync(CSS)
  }
  if (!tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets.push(sheet)
}
