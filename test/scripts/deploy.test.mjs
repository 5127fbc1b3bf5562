import { describe, expect, it } from 'vitest'
import { configurationErrors, placeholders } from '../../scripts/deploy/configuration.mjs'

const resources = (number) => ({
  vars: { ISSUER: `https://catalog${number}.example` },
  d1_databases: [{ binding: 'DB', database_id: `d${number}`, migrations_dir: 'migrations' }],
  kv_namespaces: [{ binding: 'SEEN_JTI', id: `k${number}` }],
  r2_buckets: [{ binding: 'DOCUMENTS', bucket_name: `b${number}` }],
  ratelimits: [{ name: 'LIMIT', namespace_id: `${number}` }],
  durable_objects: { bindings: [{ name: 'REPLAY_GUARD', class_name: 'ReplayGuard' }] },
})
const good = () => ({
  compatibility_date: '2026-04-01',
  observability: { enabled: true, logs: { invocation_logs: false } },
  ...resources(1),
  env: { sandbox: resources(2) },
})
const changed = (change) => {
  const config = good()
  change(config)
  return configurationErrors(config)
}

describe('the check of the configuration', () => {
  it('accepts a sandbox that has everything that production has, and shares nothing', () => {
    expect(configurationErrors(good())).toEqual([])
    expect(placeholders(good())).toEqual([])
  })

  it.each([
    ['no sandbox', (config) => delete config.env, 'there is no [env.sandbox]'],
    ['a binding that only production has', ({ env }) => delete env.sandbox.kv_namespaces, 'lacks SEEN_JTI'],
    ['a variable that only production has', ({ env }) => delete env.sandbox.vars.ISSUER, 'vars lacks ISSUER'],
    [
      'a Durable Object that is missing',
      ({ env }) => delete env.sandbox.durable_objects,
      'lacks REPLAY_GUARD',
    ],
    [
      'a database that both use',
      ({ env }) => {
        env.sandbox.d1_databases[0].database_id = 'd1'
      },
      'd1_databases shares database_id d1 with production',
    ],
    [
      "the platform's own log lines",
      (config) => delete config.observability.logs,
      'invocation_logs must be false',
    ],
    [
      'a compatibility date that the pinned runtime does not know',
      (config) => {
        config.compatibility_date = '2999-01-01'
      },
      'compatibility_date must not be after',
    ],
  ])('names %s', (_, change, error) => {
    expect(changed(change)).toContainEqual(expect.stringContaining(error))
  })

  it('lists what to replace before the first deployment', () => {
    const config = good()
    config.vars.ISSUER = 'http://localhost:8787'
    config.env.sandbox.d1_databases[0].database_id = '00000000-0000-0000-0000-000000000000'
    expect(placeholders(config)).toEqual([
      'production: ISSUER is a local address',
      'sandbox: 00000000-0000-0000-0000-000000000000 is a placeholder',
    ])
  })
})
