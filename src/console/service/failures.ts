import { hasStatus, ServiceError } from '#client/service-error'

/** How often a write is tried again because another record of the catalog was written at the same moment. */
const ATTEMPTS = 5

/** Reads and writes again if somebody else wrote to the catalog in between. */
export async function repeatOnConflict<Result>(readAndWrite: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await readAndWrite()
    } catch (error) {
      if (!hasStatus(error, 409) || attempt === ATTEMPTS) throw error
    }
  }
}

/** Whether the service refused a request: nothing of it was written. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof ServiceError && error.status >= 400 && error.status < 500
