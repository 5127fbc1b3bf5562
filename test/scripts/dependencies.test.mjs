import { describe, expect, it } from 'vitest'
import { age, behind, givenUp, weaknesses } from '../../scripts/dependencies.mjs'

const weak = (name, via = [{ title: 'reads too much' }]) => ({
  [name]: { name, severity: 'high', via, fixAvailable: true },
})

describe('the reading of dependencies', () => {
  it('makes a known weakness an error in what is part of the service, and a note elsewhere', () => {
    const report = { vulnerabilities: { ...weak('hono'), ...weak('vite', ['esbuild']) } }
    expect(weaknesses(report, ['hono'])).toEqual({
      errors: ['hono: high, reads too much (npm audit fix mends it)'],
      notes: ['vite: high, through esbuild (npm audit fix mends it); not part of the service'],
    })
  })

  it('fails if the registry tells of no weaknesses, not even that there are none', () => {
    expect(weaknesses({ vulnerabilities: {} }, [])).toEqual({ errors: [], notes: [] })
    expect(() => weaknesses({ message: '405 Method Not Allowed' }, [])).toThrow('405 Method Not Allowed')
  })

  it('makes a package that is given up an error in the service', () => {
    const packages = {
      'node_modules/a': { version: '1.0.0', deprecated: 'use b' },
      'node_modules/c': { version: '2.0.0', deprecated: 'no longer kept', dev: true },
      'node_modules/d': { version: '3.0.0' },
    }
    expect(givenUp(packages)).toEqual({
      errors: ['a@1.0.0 is given up: use b'],
      notes: ['c@2.0.0 is given up: no longer kept'],
    })
  })

  it('names releases behind, and packages without a release for two years', () => {
    expect(behind({ a: { current: '1.0.0', latest: '1.1.0' }, b: { latest: '2.0.0' } })).toEqual([
      'a 1.0.0: 1.1.0 is the newest',
    ])
    const times = {
      created: '2020-01-01T00:00:00Z',
      modified: '2026-01-01T00:00:00Z',
      '1.0.0': '2021-05-06T00:00:00Z',
    }
    expect(age('a', times, Date.parse('2026-01-01'))).toEqual(['a: no release since 2021-05-06'])
    expect(age('a', times, Date.parse('2022-01-01'))).toEqual([])
  })
})
