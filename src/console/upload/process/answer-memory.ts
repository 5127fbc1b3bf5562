import type { SavedAnswers } from '#files/file-summary'
import { isSavedAnswers } from '#files/saved-answers'
import type { Login } from '../../service/login'
import { textStore } from '../../text-store'

/** Stores a user's answers about files, newest last. */
export interface AnswerMemory {
  read(): readonly SavedAnswers[]
  remember(answers: SavedAnswers): void
  forget(headers: readonly string[]): void
}

const MOST_FILES = 30

/** Parses the stored answers. A damaged or foreign text is ignored. */
function answersIn(text: string | null): SavedAnswers[] {
  try {
    const all: unknown = JSON.parse(text ?? '[]')
    return Array.isArray(all) ? all.filter(isSavedAnswers) : []
  } catch {
    return []
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.toSorted().join('\n') === other.toSorted().join('\n')

/**
 * The browser's memory, per user, workspace and catalog. Of the values in a file, it only contains those that the user
 * has explained or replaced.
 */
export function answerMemory(
  { workspace_id, email }: Pick<Login, 'workspace_id' | 'email'>,
  type: string,
): AnswerMemory {
  const store = textStore(`catalog-console-answers ${workspace_id} ${type} ${email}`)
  const write = (all: readonly SavedAnswers[]) => store.write(JSON.stringify(all.slice(-MOST_FILES)))
  const without = (headers: readonly string[]) =>
    answersIn(store.read()).filter((saved) => !isSame(saved.headers, headers))
  return {
    read: () => answersIn(store.read()),
    remember: (answers) => write([...without(answers.headers), answers]),
    forget: (headers) => write(without(headers)),
  }
}
