/**
 * What the clients tried to write to one catalog, and what became of it. The catalog's own list of writes says what was
 * carried out and in which order; the model repeats exactly that. A write that was answered must be in it, one that was
 * refused must not, and one whose answer was lost is in it or is not: there is no third state.
 */
import { CatalogModel } from './catalog-model.mjs'

const COUNTS = ['total', 'inserted', 'updated', 'reactivated', 'unchanged', 'deactivated', 'revision']
const ANSWERED = [...COUNTS, 'active_before', 'active_after']
const PAGE = 1000

/**
 * @typedef {object} Attempt
 * @property {'upsert' | 'reconcile' | 'restore'} mode
 * @property {'csv' | 'json' | 'restore'} format
 * @property {import('./catalog-model.mjs').Sent[]} [records] of a write
 * @property {number} [sizeBytes] of a write: by it the attempt is found again
 * @property {number} [target] the revision of a restore
 * @property {number | null} expected the revision that the caller insisted on
 * @property {boolean} confirmed whether the shrink guard was overridden
 * @property {boolean} [impossible] the request was cut off or invalid: it must not be carried out
 * @property {object} [answer] `data` of the answer, if one came
 * @property {boolean} [refused] an answer came, and it was an error
 * @property {string} [heldAs] the upload as which its file waits, if an answer said so: somebody may write it later
 * @property {boolean} [discarded] an answer said that the file was discarded
 */

export class Ledger {
  model = new CatalogModel()
  /** Attempts that are not found yet: writes by size, restores in a list. */
  #writes = new Map()
  #restores = []
  #report
  lost = 0
  carriedOutUnanswered = 0

  /**
   * @param {{ id: string, api: import('../../src/client/index').CatalogClient }} workspace `api` reads what must
   * succeed
   * @param {string} type
   * @param {(text: string) => void} report takes differences
   */
  constructor(workspace, type, report) {
    this.workspace = workspace
    this.type = type
    this.name = `${type} of workspace ${workspace.id}`
    this.#report = (text) => report(`${this.name}: ${text}`)
  }

  isFree = (bytes) => !this.#writes.has(bytes)

  /** @param {Attempt} attempt before it is sent */
  open(attempt) {
    if (attempt.mode === 'restore') this.#restores.push(attempt)
    else this.#writes.set(attempt.sizeBytes, attempt)
    return attempt
  }

  /** A restore of the revision `target`, without the shrink guard. @param {number} target */
  openRestore(target) {
    return this.open({ mode: 'restore', format: 'restore', target, expected: null, confirmed: true })
  }

  /** The attempt whose file waits: nobody knows when it is written. */
  waits(sizeBytes) {
    const attempt = this.#writes.get(sizeBytes)
    attempt.expected = null
    return attempt
  }

  /** The uploads whose files wait. */
  async held() {
    const { type, workspace } = this
    const options = { params: { type }, query: /** @type {const} */ ({ outcome: 'held', limit: PAGE }) }
    return (await workspace.api.get('/admin/catalogs/v1/{type}/uploads', options)).items
  }

  /** Reads what was carried out since the last time, and repeats it in the model. */
  async settle() {
    const fresh = await this.#freshWrites()
    for (const batch of fresh) this.#repeat(batch)
    const waiting = (await this.held()).map(({ size_bytes }) => this.waits(size_bytes))
    const all = [...this.#writes.values(), ...this.#restores].filter((attempt) => !attempt.settled)
    for (const attempt of waiting) {
      const { impossible, refused, discarded, settled } = attempt
      if (impossible || refused || discarded || settled) this.#report(`the file of ${describe(attempt)} waits`)
    }
    for (const attempt of all) {
      if (waiting.includes(attempt)) continue
      attempt.settled = true
      if (attempt.heldAs !== undefined) await this.#checkEnd(attempt)
      attempt.records = undefined
      if (attempt.answer !== undefined) this.#report(`an acknowledged ${describe(attempt)} is not among the writes`)
      else if (!attempt.refused && attempt.heldAs === undefined) this.lost++
    }
    this.#restores = []
  }

  /** A file that waited and was not written: somebody discarded it, or another one took its place. */
  async #checkEnd(attempt) {
    const params = { type: this.type, upload_id: attempt.heldAs }
    const path = '/admin/catalogs/v1/{type}/uploads/{upload_id}'
    const { outcome } = await this.workspace.api.get(path, { params })
    const allowed = attempt.discarded ? ['discarded'] : ['discarded', 'expired']
    if (!allowed.includes(outcome)) this.#report(`the file of ${describe(attempt)} is ${outcome}, and lost`)
  }

  /** @returns {Promise<object[]>} oldest first */
  async #freshWrites() {
    const { type, workspace } = this
    const fresh = []
    let total
    do {
      const query = { limit: PAGE, offset: fresh.length }
      const page = await workspace.api.get('/admin/catalogs/v1/{type}/writes', { params: { type }, query })
      total = page.total
      fresh.push(...page.items)
    } while (fresh.length < total - this.model.writes && fresh.length < total)
    if (total < this.model.writes) this.#report(`${total} writes, and there were ${this.model.writes} before`)
    return fresh.slice(0, Math.max(0, total - this.model.writes)).reverse()
  }

  #find(batch) {
    if (batch.mode !== 'restore') return this.#writes.get(batch.size_bytes)
    const fits = (attempt) =>
      !attempt.settled &&
      attempt.target === batch.restored_revision &&
      !attempt.refused &&
      (attempt.answer === undefined || attempt.answer.batch_id === batch.batch_id)
    return this.#restores.find((attempt) => attempt.answer !== undefined && fits(attempt)) ?? this.#restores.find(fits)
  }

  #repeat(batch) {
    const attempt = this.#find(batch)
    if (attempt === undefined || attempt.settled) {
      this.#report(`a write that nobody sent, or twice: ${JSON.stringify(batch)}`)
      this.model.writes++
      return
    }
    attempt.settled = true
    const what = describe(attempt)
    if (attempt.impossible) this.#report(`${what} was carried out, and was cut off or invalid`)
    if (attempt.refused) this.#report(`${what} was refused and carried out`)
    if (attempt.discarded) this.#report(`${what} was discarded and carried out`)
    if (attempt.expected !== null && attempt.expected !== this.model.revision)
      this.#report(`${what} was for revision ${attempt.expected}, and carried out at ${this.model.revision}`)
    const { answer, gone } = attempt.mode === 'restore' ? this.model.restore(attempt.target) : this.model.write(attempt)
    if (!attempt.confirmed && attempt.mode !== 'upsert' && gone * 2 > answer.active_before)
      this.#report(`${what} got past the shrink guard: ${gone} of ${answer.active_before}`)
    this.#compare(`${what}, in the list of writes`, batch, answer, COUNTS)
    if (attempt.answer !== undefined) this.#compare(`${what}, in its answer`, attempt.answer, answer, ANSWERED)
    else this.carriedOutUnanswered++
    attempt.records = undefined
  }

  #compare(what, actual, expected, fields) {
    const wrong = fields.filter((field) => actual[field] !== expected[field])
    if (wrong.length === 0) return
    this.#report(
      `${what}: ${wrong.map((field) => `${field} ${actual[field]}, expected ${expected[field]}`).join('; ')}`,
    )
  }
}

const describe = ({ mode, format, sizeBytes, target }) =>
  mode === 'restore' ? `restore of revision ${target}` : `${mode} of ${sizeBytes} bytes of ${format}`
