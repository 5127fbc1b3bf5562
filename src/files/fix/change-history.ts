import type { ValueFix } from '#files/saved-answers'

/** A change to the rows of a file. */
interface Change {
  /** Undoes it. */
  undo: () => void
  /** Whether it excluded rows. */
  leavesOut: boolean
  fixes: readonly ValueFix[]
}

/** The history of a user's changes to the rows of a file, for undo. */
export class ChangeHistory {
  #changes: Change[] = []
  /** Values that the user has replaced in all rows. */
  #fixes: ValueFix[] = []

  get count(): number {
    return this.#changes.length
  }

  get fixes(): readonly ValueFix[] {
    return this.#fixes
  }

  /** @param undo undoes the change @param fixes values that it has replaced in all rows */
  add(undo: () => void, fixes: readonly ValueFix[] = []): void {
    this.#fixes.push(...fixes)
    this.#changes.push({ undo, leavesOut: false, fixes })
  }

  /** Adds a change that excluded rows. @param undo undoes it */
  addLeftOut(undo: () => void): void {
    this.#changes.push({ undo, leavesOut: true, fixes: [] })
  }

  /** Undoes the last change. */
  undo(): void {
    const last = this.#changes.pop()
    last?.undo()
    this.#fixes = this.#fixes.filter((fix) => !last?.fixes.includes(fix))
  }

  /** Removes the changes that excluded rows, because all of these rows have been restored. */
  forgetLeftOut(): void {
    this.#changes = this.#changes.filter(({ leavesOut }) => !leavesOut)
  }

  /** Clears the undo history, because the file is read again. @param isSame whether the changes themselves are kept */
  begin(isSame: boolean): void {
    this.#changes = []
    if (!isSame) this.#fixes = []
  }
}
