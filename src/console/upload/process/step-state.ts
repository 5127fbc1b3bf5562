/** Shows a state, unless another step has begun by then. */
export type Show<State> = ((state: State) => void) & { isLast: () => boolean; signal: AbortSignal }

/** A state that changes in steps. Each step ends the one before it, whose result is then no longer shown. */
export class StepState<State> {
  #state: State
  readonly #listeners = new Set<() => void>()
  #running = new AbortController()

  constructor(state: State) {
    this.#state = state
  }

  /** Another object after every change. */
  readonly state = (): State => this.#state

  /** @returns ends the subscription */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Ends the step before. */
  protected begin(): Show<State> {
    this.#running.abort()
    this.#running = new AbortController()
    const { signal } = this.#running
    const show = (state: State) => {
      if (!signal.aborted) this.set(state)
    }
    return Object.assign(show, { isLast: () => !signal.aborted, signal })
  }

  /** Changes the state without a step. */
  protected set(state: State): void {
    this.#state = state
    for (const listener of this.#listeners) listener()
  }

  /** Ends what is under way. */
  end(): void {
    this.#running.abort()
  }
}
