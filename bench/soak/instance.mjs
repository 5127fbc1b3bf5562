/** The service of a soak run: its clock can be set, and its bucket can be looked into. */
import { documentsBucket, readConfiguration } from '../../scripts/configuration.mjs'
import { localResources, objectFile } from '../../scripts/database/local.mjs'
import { CLOCK_PATH, CONTROL } from '../../scripts/local/control.mjs'
import { Service } from '../service.mjs'

// Imported late, so that a Node without it gets the message of `require-node.mjs`.
const { DatabaseSync } = await import('node:sqlite')

export class Instance extends Service {
  /**
   * Sets the clock of the service, until it starts again. Does nothing if the service does not answer.
   *
   * @param {number} aheadMs of the real one; negative for behind
   * @returns {Promise<boolean>} whether it is set
   */
  async setClock(aheadMs) {
    const answer = await fetch(`${this.origin}${CLOCK_PATH}?ahead=${aheadMs}`, CONTROL).catch(() => undefined)
    return answer?.ok === true
  }

  /** The keys in the bucket of the service that begin with a text, sorted. */
  storedKeys(prefix) {
    const { name } = documentsBucket(readConfiguration())
    const file = objectFile(localResources(this.state), 'r2', 'miniflare-R2BucketObject', name)
    const database = new DatabaseSync(file, { readOnly: true })
    const rows = database.prepare('select key from _mf_objects where key >= ? and key < ?').all(prefix, `${prefix}~`)
    database.close()
    return rows.map(({ key }) => key).sort()
  }
}
