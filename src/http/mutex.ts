/**
 * Lets large writes of an isolate through one after another: each holds several times its body while it is checked and
 * handed to the database, and an isolate has 128 MB for all of them. The database takes one write at a time anyway.
 */
export class Mutex {
  #last: Promise<void> = Promise.resolve()

  /** @returns a function that ends the turn; further calls of it do nothing */
  async take(): Promise<() => void> {
    const before = this.#last
    let end = () => {}
    this.#last = new Promise((resolve) => {
      end = resolve
    })
    await before
    return end
  }
}
