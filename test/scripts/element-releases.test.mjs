import { describe, expect, it } from 'vitest'
import {
  compressedSize,
  integrityOf,
  listErrors,
  MOST_BYTES,
  releaseErrors,
  sourceErrors,
  withRelease,
} from '../../scripts/element/releases.mjs'

const release = (version, text) => ({ version, integrity: integrityOf(text) })
const ONE = release('1.0.0', 'one')
const TWO = release('1.1.0', 'two')
const FILES = new Map([
  ['1.0.0', 'one'],
  ['1.1.0', 'two'],
])

describe('the releases of the search element', () => {
  it('have digests as browsers compare them', () => {
    // The digest of an empty text, from the specification of subresource integrity's examples of SHA-384.
    expect(integrityOf('')).toBe('sha384-OLBgp1GsljhM2TJ+sbHjaiH9txEUvgdDTAzHv2P24donTt6/529l+9Ua0vFImLlb')
  })

  it('pass as they were released', () => {
    expect(releaseErrors([ONE, TWO], FILES)).toEqual([])
    expect(listErrors([ONE], [ONE, TWO])).toEqual([])
  })

  it('refuse a file that was changed, deleted or added without an entry', () => {
    expect(releaseErrors([ONE], new Map([['1.0.0', 'other']]))).toEqual([
      '1.0.0: is released and must not change: pages name its digest. Release another version',
    ])
    expect(releaseErrors([ONE], new Map())).toEqual(['1.0.0: is released and must not be deleted'])
    expect(releaseErrors([ONE], FILES)).toEqual(['1.1.0: is not in the list of releases'])
  })

  it('refuse an entry that was changed or removed since the last commit, with its file', () => {
    const message = '1.0.0: its entry in the list of releases must stay as it was committed'
    expect(listErrors([ONE], [release('1.0.0', 'other')])).toEqual([message])
    expect(listErrors([ONE, TWO], [TWO])).toEqual([message])
  })

  it('refuse versions that are out of order or none', () => {
    expect(releaseErrors([TWO, ONE], FILES)).toEqual(['1.0.0: must come after 1.1.0'])
    const odd = release('1.0', 'one')
    expect(releaseErrors([odd], new Map([['1.0', 'one']]))).toEqual(['1.0: is not a version such as 1.2.3'])
    expect(
      releaseErrors(
        [release('1.9.0', 'one'), release('1.10.0', 'two')],
        new Map([
          ['1.9.0', 'one'],
          ['1.10.0', 'two'],
        ]),
      ),
    ).toEqual([])
  })

  it('refuse sources that differ from the newest one, and an element that is too large', () => {
    expect(sourceErrors([ONE, TWO], 'two')).toEqual([])
    expect(sourceErrors([ONE, TWO], 'one')).toEqual([expect.stringContaining('newest release, 1.1.0')])
    const large = Array.from({ length: 4000 }, (_, n) => integrityOf(String(n))).join('')
    expect(compressedSize(large)).toBeGreaterThan(MOST_BYTES)
    expect(sourceErrors([release('1.0.0', large)], large)).toEqual([expect.stringContaining('at most 8000')])
  })

  it('can be made again until they are committed', () => {
    expect(withRelease([ONE, TWO], [ONE], '1.1.0', 'three')).toEqual([ONE, release('1.1.0', 'three')])
    expect(() => withRelease([ONE, TWO], [ONE, TWO], '1.1.0', 'three')).toThrow('1.1.0 is released')
    expect(() => withRelease([], [], 'v1', 'one')).toThrow('v1 is not a version')
  })
})
