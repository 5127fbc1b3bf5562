import { expect, it } from 'vitest'
import { version } from '../../../../package.json'
import { catalogOfEachTest } from '../../../support/catalog'

const catalog = catalogOfEachTest()

it('the entity tags of a list and of a record name the release, which decides the form of a medication', async () => {
  await catalog.write([catalog.record('a')])
  for (const path of ['/', '/a/']) {
    expect((await catalog.send('GET', path)).headers.get('ETag')).toMatch(new RegExp(`^W/".+-${version}"$`))
  }
})
