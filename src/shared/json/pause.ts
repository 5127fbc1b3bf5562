import { inSteps, type Steps } from './steps'

/** Lets the other requests of the isolate have a turn. A promise alone would not: it is resolved before them. */
export const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Work on a body, with a pause after each step. */
export const withPauses = <T>(steps: Steps<T>): Promise<T> => inSteps(steps, pause)
