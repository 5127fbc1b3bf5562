/** Tasks that run after the last byte of a response, such as the log line. A streaming response defers them. */
export class Completion {
  readonly #tasks: (() => void)[] = []
  readonly #finished = Promise.withResolvers<void>()
  #complete = false
  /** Set by code that will call `run` later. */
  deferred = false

  /** A task added after the deadline runs immediately. */
  add(task: () => void): void {
    if (this.#complete) task()
    else this.#tasks.push(task)
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  /** Runs the tasks, last added first. A second call has no effect. */
  run(): void {
    this.#complete = true
    for (let task = this.#tasks.pop(); task; task = this.#tasks.pop()) task()
    this.#finished.resolve()
  }
}
