/** Tasks that run after the last byte of an answer, such as the log line. A streamed answer defers them. */
export class Completion {
  readonly #tasks: (() => void)[] = []
  readonly #finished = Promise.withResolvers<void>()
  #complete = false
  /** Set by code that will call `run` later. */
  deferred = false

  /** A task that is added too late, after the deadline, runs at once. */
  add(task: () => void): void {
    if (this.#complete) task()
    else this.#tasks.push(task)
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  /** Runs the tasks, last added first; a second call finds none. */
  run(): void {
    this.#complete = true
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) task()
    this.#finished.resolve()
  }
}
