/** A text that this browser keeps. A browser that keeps nothing throws; the text then lasts as long as the page. */
export function remembered(key: string) {
  let last: string | null = null
  return {
    read(): string | null {
      try {
        return localStorage.getItem(key)
      } catch {
        return last
      }
    },
    write(text: string): void {
      last = text
      try {
        localStorage.setItem(key, text)
      } catch {
        // `last` has it.
      }
    },
  }
}
