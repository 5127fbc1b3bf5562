/**
 * The writes that clients attempted on one catalog, and their outcomes. The catalog's own list of writes shows what was
 * applied and in which order, and the model repeats exactly that. A write with a success response must be in the list,
 * a rejected write must not, and a write whose response was lost either is or is not: there is no third state.
 */
import { CatalogModel } from './catalog-model.mjs'

const COUNTS = ['total', 'inserted', 'updated', 'reactivated', 'unchanged', 'deactivated', 'revision']
const PAGE = 1000

/**
 * @typedef {object} Attempt
 * @property {'upsert' | 'reconcile' | 'restore'} mode
 * @property {number} [bytes] of a write: identifies the attempt
 * @property {import('./catalog-model.mjs').Sent[]} [records] of a write
 * @property {number} [target] the revision of a restore
 * @property {number | null} [expected] the revision that the caller required
 * @property {boolean} [confirmed] whether the shrink guard was overridden
 * @property {boolean} [impossible] the request was truncated, invalid or a dry run: it must not be applied
 * @property {any} [answer] `data` of the response, if one arrived
 * @property {boolean} [refused] a response arrived, and it was an error
 * @property {string} [heldAs] the ID of its pending upload, if a response contained it: a user may approve it later
 * @property {boolean} [discarded] a response said that the file was discarded
 * @property {boolean} [settled]
 */

export class Ledger {
  model = new CatalogModel()
  /** Writes that the model has repeated. */
  writes = 0
  /** The last revision that a client has seen. */
  seen = 0
  /** Number of attempts without a response. */
  outcomes = { 'carried out': 0, lost: 0 }
  /** @type {Map<number, Attempt>} */
  #uploads = new Map()
  /** @type {Attempt[]} */
  #restores = []
  #report

  /** @param {(text: string) => void} report receives differences */
  constructor(workspace, type, report) {
    this.workspace = workspace
    this.type = type
    this.name = `${type} of workspace ${workspace.id}`
    this.#report = (text) => report(`${this.name}: ${text}`)
  }

  /** @param {Attempt} attempt before it is sent @returns {Attempt} */
  open(attempt) {
    if (attempt.bytes === undefined) this.#restores.push(attempt)
    else this.#uploads.set(attempt.bytes, attempt)
    return attempt
  }

  /** The attempt with the pending upload, which may be written at any time. */
  waits = (bytes) => Object.assign(this.#uploads.get(bytes), { expected: null })

  isFree = (bytes) => !this.#uploads.has(bytes)

  get = (below, query = {}) =>
    this.workspace.api.get(`/admin/catalogs/v1/{type}${below}`, { params: { type: this.type }, query })

  /** The pending uploads. */
  held = async () => (await this.get('/uploads', { outcome: 'held', limit: PAGE })).items

  /** Reads the writes since the last time, and repeats them in the model. */
  async settle() {
    for (const write of await this.#freshWrites()) this.#repeat(write)
    const waiting = (await this.held()).map(({ size_bytes }) => this.waits(size_bytes))
    for (const attempt of waiting)
      if (attempt.impossible || attempt.refused || attempt.discarded || attempt.settled)
        this.#report(`the file of ${describe(attempt)} waits`)
    for (const attempt of [...this.#uploads.values(), ...this.#restores]) {
      if (attempt.settled || waiting.includes(attempt)) continue
      this.#end(attempt)
      if (attempt.heldAs !== undefined) await this.#checkEnd(attempt)
      if (attempt.answer !== undefined) this.#report(`an acknowledged ${describe(attempt)} is not among the writes`)
      else if (!attempt.refused && !attempt.impossible && attempt.heldAs === undefined) this.outcomes.lost++
    }
    this.#restores = []
    this.seen = this.model.revision
  }

  #end(attempt) {
    attempt.settled = true
    attempt.records = undefined
  }

  /**
   * A pending upload that was not written: a user discarded it, or another one replaced it.
   *
   * @param {Attempt} attempt
   */
  async #checkEnd(attempt) {
    const { heldAs, discarded } = attempt
    const { outcome } = await this.get(`/uploads/${heldAs}`)
    if (outcome !== 'discarded' && (discarded || outcome !== 'expired'))
      this.#report(`the file of ${describe(attempt)} is ${outcome}, and lost`)
  }

  /** @returns {Promise<any[]>} oldest first */
  async #freshWrites() {
    const fresh = []
    let total
    do {
      const page = await this.get('/writes', { limit: PAGE, offset: fresh.length })
      total = page.total
      fresh.push(...page.items)
    } while (fresh.length < total - this.writes)
    if (total < this.writes) this.#report(`${total} writes, and there were ${this.writes} before`)
    const known = this.writes
    this.writes = total
    return fresh.slice(0, Math.max(0, total - known)).reverse()
  }

  #find({ mode, size_bytes, restored_revision, batch_id }) {
    if (mode !== 'restore') return this.#uploads.get(size_bytes)
    /** @param {Attempt} attempt */
    const fits = ({ settled, target, refused }) => !settled && !refused && target === restored_revision
    const answered = this.#restores.find((attempt) => fits(attempt) && attempt.answer?.batch_id === batch_id)
    return answered ?? this.#restores.find((attempt) => fits(attempt) && attempt.answer === undefined)
  }

  #repeat(write) {
    const attempt = this.#find(write)
    if (attempt === undefined || attempt.settled) {
      this.#report(`a write that nobody sent, or twice: ${JSON.stringify(write)}`)
      return
    }
    const { mode, records, target, answer, expected, confirmed } = attempt
    const what = describe(attempt)
    for (const never of ['impossible', 'refused', 'discarded'])
      if (attempt[never]) this.#report(`${what} was ${never} and carried out`)
    if (expected != null && expected !== this.model.revision)
      this.#report(`${what} was for revision ${expected}, and carried out at ${this.model.revision}`)
    const right = mode === 'restore' ? this.model.restore(target) : this.model.write({ mode, records })
    if (!confirmed && mode !== 'upsert' && right.deactivated * 2 > right.active_before)
      this.#report(`${what} got past the shrink guard: ${right.deactivated} of ${right.active_before}`)
    this.#compare(`${what}, in the list of writes`, write, right, COUNTS)
    if (answer === undefined) this.outcomes['carried out']++
    else this.#compare(`${what}, in its answer`, answer, right, [...COUNTS, 'active_before', 'active_after'])
    this.#end(attempt)
  }

  #compare(what, actual, expected, names) {
    const wrong = names.filter((name) => actual[name] !== expected[name])
    if (wrong.length > 0)
      this.#report(`${what}: ${wrong.map((name) => `${name} ${actual[name]}, expected ${expected[name]}`).join('; ')}`)
  }
}

/** @param {Attempt} attempt */
const describe = ({ mode, bytes, target }) =>
  mode === 'restore' ? `restore of revision ${target}` : `${mode} of ${bytes} bytes`
