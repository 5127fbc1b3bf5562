import { ApiError, type FieldError } from '#errors'

/** The errors of the `ApiError` that `run` throws. */
export function errorsOf(run: () => unknown): { status: number; message: string; errors: FieldError[] } {
  try {
    run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return {
      status: error.status,
      message: error.message,
      errors: (error.details.errors ?? []) as FieldError[],
    }
  }
  throw new Error('nothing was refused')
}
