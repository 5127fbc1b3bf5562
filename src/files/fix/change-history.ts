import type { ValueFix } from '#files/saved-answers'

/** A change of the rows of a file. */
interface Change {
  /** Takes it back. */
  undo: () => void
  /** Whether it was one that left rows out. */
  leavesOut: boolean
  fixes: readonly ValueFix[]
}

/** The changes that a person has made to the rows of a file, so that each can be taken back. */
export class ChangeHistory {
  #changes: Change[] = []
  /** Values that the person has replaced everywhere. */
  #fixes: ValueFix[] = []

  get count(): number {
    return this.#changes.length
  }

  get fixes(): readonly ValueFix[] {
    return this.#fixes
  }

  /** @param undo takes the change back @param fixes values that it has replaced everywhere */
  add(undo: () => void, fixes: readonly ValueFix[] = []): void {
    this.#fixes.push(...fixes)
    this.#changes.push({ undo, leavesOut: false, fixes })
  }

  /** Adds a change that left rows out. @param undo takes it back */
  addLeftOut(undo: () => void): void {
    this.#changes.push({ undo, leavesOut: true, fixes: [] })
  }

  /** Takes back the last change. */
  undo(): void {
    const last = this.#changes.pop()
    last?.undo()
    this.#fixes = this.#fixes.filter((fix) => !last?.fixes.includes(fix))
  }

  /** Forgets the changes that left rows out: all of these rows have been taken back. */
  forgetLeftOut(): void {
    this.#changes = this.#changes.filter(({ leavesOut }) => !leavesOut)
  }

  /** Forgets how to take changes back: the file is read again. @param isSame whether the changes themselves stay */
  begin(isSame: boolean): void {
    this.#changes = []
    if (!isSame) this.#fixes = []
  }
}
