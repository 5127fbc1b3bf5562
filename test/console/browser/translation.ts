import type { Page } from 'playwright-core'

/** Simulates a browser's translation of a page, now and after each change: each text becomes an element. */
export const translate = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const made = new WeakSet<Text>()
    const replace = (text: Text) => {
      if (
        made.has(text) ||
        text.data.trim() === '' ||
        text.parentElement?.closest('[translate=no], script, style, option, textarea')
      )
        return
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      const translated = document.createTextNode(text.data)
      made.add(translated)
      inner.append(translated)
      outer.append(inner)
      text.replaceWith(outer)
    }
    const replaceAll = () => {
      const texts: Text[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (walker.nextNode()) texts.push(walker.currentNode as Text)
      texts.forEach(replace)
    }
    replaceAll()
    new MutationObserver(replaceAll).observe(document.body, { childList: true, subtree: true, characterData: true })
  })

/**
 * Elements with texts that React references directly, because they are next to other content: a translation replaces
 * them, and React would write to nodes that are no longer in the page. Labels and short messages of the component
 * library never change, and are removed with their element.
 */
export const textsOfReact = (page: Page): Promise<string[]> =>
  page.evaluate((ofLibrary) => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      const isOfReact = Object.keys(walker.currentNode).some((key) => key.startsWith('__reactFiber'))
      if (isOfReact && textContent?.trim() && !parentElement?.matches(ofLibrary))
        found.push(parentElement?.outerHTML ?? '')
    }
    return found
  }, '.mantine-InputWrapper-label, .mantine-Notification-description')
