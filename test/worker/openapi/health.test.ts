import { describe, expect, it } from 'vitest'
import changelog from '../../../CHANGELOG.md?raw'
import upgrading from '../../../docs/upgrading.md?raw'
import { version } from '../../../package.json'
import { callService } from '../../support/service'

const migrations = Object.keys(import.meta.glob('/migrations/*.sql')).map((path) => /\d{4}/.exec(path)![0])

describe('/health', () => {
  it('tells that the service and its database answer, and which release runs', async () => {
    const response = await callService('/health')
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({ success: true, message: 'ok', version })
  })

  it('names a release that is the newest in the changelog, and in the list of upgrades with its last migration', () => {
    const [newest] = Array.from(changelog.matchAll(/^## (\S+)/gm), ([, release]) => release)
    expect(newest).toBe(version)
    expect(upgrading).toContain(`\n| ${version} | ${migrations.sort().at(-1)} |`)
  })
})
