import { describe, expect, it } from 'vitest'
import { compressedSize, integrityOf, MOST_BYTES, releaseErrors, withRelease } from '../../scripts/element/check.mjs'

const release = (version, text) => ({ version, integrity: integrityOf(text) })
const ONE = release('1.0.0', 'one')
const TWO = release('1.1.0', 'two')
const FILES = new Map([
  ['1.0.0', 'one'],
  ['1.1.0', 'two'],
])

/** The errors of two releases, the first one committed, with some changes. */
const errorsOf = ({ releases = [ONE, TWO], files = FILES, element = 'two' }) =>
  releaseErrors(releases, { committedReleases: [ONE], files, element })

describe('the releases of the search element', () => {
  it("have digests in the browsers' format", () => {
    // The digest of an empty text, from the SHA-384 examples of the subresource integrity specification.
    expect(integrityOf('')).toBe('sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb')
  })

  it('pass if they are unchanged', () => {
    expect(errorsOf({})).toEqual([])
  })

  it('reject a file that was changed, deleted or added without an entry', () => {
    expect(errorsOf({ files: new Map([...FILES, ['1.0.0', 'other']]) })).toEqual([
      '1.0.0: is released and must not change: pages name its digest. Release another version',
    ])
    expect(errorsOf({ files: new Map([['1.1.0', 'two']]) })).toEqual(['1.0.0: is released and must not be deleted'])
    expect(errorsOf({ files: new Map([...FILES, ['1.2.0', 'x']]) })).toEqual(['1.2.0: is not in the list of releases'])
  })

  it('reject an entry that was changed or removed since the last commit, with its file', () => {
    const message = '1.0.0: its entry in the list of releases must stay as it was committed'
    const files = new Map([...FILES, ['1.0.0', 'other']])
    expect(errorsOf({ releases: [release('1.0.0', 'other'), TWO], files })).toEqual([message])
    expect(errorsOf({ releases: [TWO], files: new Map([['1.1.0', 'two']]) })).toEqual([message])
  })

  it('reject sources that differ from the newest one, and an element that is too large', () => {
    expect(errorsOf({ element: 'one' })).toEqual([expect.stringContaining('newest release, 1.1.0')])
    const large = Array.from({ length: 4000 }, (_, n) => integrityOf(String(n))).join('')
    expect(compressedSize(large)).toBeGreaterThan(MOST_BYTES)
    expect(errorsOf({ element: large })).toContainEqual(expect.stringContaining(`at most ${MOST_BYTES}`))
  })

  it('come after the committed ones, and can be recreated until they are committed', () => {
    expect(withRelease([ONE], '1.1.0', 'three')).toEqual([ONE, release('1.1.0', 'three')])
    expect(withRelease([release('1.9.0', 'nine')], '1.10.0', 'ten')).toHaveLength(2)
    for (const version of ['1.1.0', '1.0.9']) {
      expect(() => withRelease([ONE, TWO], version, 'three')).toThrow('1.1.0 is released. Choose a later version')
    }
    expect(() => withRelease([], 'v1', 'one')).toThrow('v1 is not a version')
  })
})
