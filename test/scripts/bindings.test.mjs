import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { experimental_readRawConfig as readRawConfig } from 'wrangler'
import { boundDatabases, databaseBindings, fileOf } from '../../scripts/database/bindings.mjs'
import { root } from '../../scripts/wrangler.mjs'

describe('the databases of wrangler.toml', () => {
  it('are the same in production and in the sandbox, the control database first', () => {
    expect(boundDatabases()).toEqual(['DB', 'DB_2'])
    expect(boundDatabases('sandbox')).toEqual(boundDatabases())
    expect(boundDatabases('nowhere')).toEqual([])
  })

  it('are read as wrangler reads them', () => {
    const { rawConfig } = readRawConfig({ config: path.join(root, 'wrangler.toml') })
    const listed = ({ d1_databases: databases }) =>
      databases.map(({ binding, database_id: id }) => ({ binding, id }))
    expect(databaseBindings()).toEqual(listed(rawConfig))
    expect(databaseBindings('sandbox')).toEqual(listed(rawConfig.env.sandbox))
  })

  it.each([
    ['DB', '/backups/catalog.sql'],
    ['DB_2', '/backups/catalog.DB_2.sql'],
  ])('each have their own backup file: %s', (binding, file) => {
    expect(fileOf('/backups/catalog.sql', binding)).toBe(file)
  })

  it('keep a name without an extension', () => {
    expect(fileOf('catalog', 'DB_2')).toBe('catalog.DB_2')
  })
})
