import { Page } from '../shell/page'

export default function P() {
  return <Page title="catalog">{null}</Page>
}
