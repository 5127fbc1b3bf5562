/** A text in the browser's storage. If the browser has none, the text lasts as long as the page. */
export function textStore(key: string) {
  let lastText: string | null = null
  return {
    read(): string | null {
      try {
        return localStorage.getItem(key)
      } catch {
        return lastText
      }
    },
    write(text: string): void {
      lastText = text
      try {
        localStorage.setItem(key, text)
      } catch {
        // `lastText` has it.
      }
    },
  }
}
