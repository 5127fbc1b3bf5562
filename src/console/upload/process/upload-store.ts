import type { Stage, UploadState } from './stage'

/** One step of an upload. The next step ends it, and anything it shows later is ignored. */
export interface Step {
  show: (stage: Stage, more?: Partial<UploadState>) => void
  isLast: () => boolean
  signal: AbortSignal
}

/** The state of an upload, which the page shows, and the step that may change it. */
export class UploadStore {
  #state: UploadState = { stage: { is: 'empty' }, mode: 'upsert', keepsMissing: true }
  readonly #listeners = new Set<() => void>()
  #running = new AbortController()

  /** A new object after every change. */
  readonly state = (): UploadState => this.#state

  /** @returns a function that unsubscribes */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  get stage(): Stage {
    return this.#state.stage
  }

  set(change: Partial<UploadState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of this.#listeners) listener()
  }

  /** Begins a step, which ends the previous step. */
  begin(): Step {
    this.#running.abort()
    this.#running = new AbortController()
    const { signal } = this.#running
    return {
      show: (stage, more = {}) => {
        if (!signal.aborted) this.set({ ...more, stage })
      },
      isLast: () => !signal.aborted,
      signal,
    }
  }

  readonly abort = (): void => this.#running.abort()
}
