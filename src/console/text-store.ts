/** A text in the browser's storage. If storage is unavailable, the text is only kept until the page is closed. */
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
        // `lastText` keeps it.
      }
    },
  }
}
