import type { Data } from '#client/api'
import type { CatalogClient } from '#client/catalog-client'
import { EXIT, type ExitCode, wrongUse } from './exits'
import type { Output } from './output'
import { changesOf, countsText, typeNamed } from './push'

type Status = Data<'get', '/admin/catalogs/v1/'>['items'][number]

/** One line for each catalog. */
function lineOf({ type, active_records, revision, last_write }: Status): string {
  const written =
    last_write === null ? 'never written' : `written ${last_write.created_at} by ${last_write.created_by}`
  return `${type.padEnd(10)}  ${String(active_records).padStart(7)} active  revision ${revision}  ${written}`
}

/** The state of the catalogs. */
export async function status(client: CatalogClient, output: Output): Promise<ExitCode> {
  const { items } = await client.get('/admin/catalogs/v1/')
  await output.result(items.map(lineOf).join('\n'), { exit: EXIT.done, catalogs: items })
  return EXIT.done
}

export interface RestoreOptions {
  revision: number
  yes?: boolean
  confirmShrink?: boolean
}

/** Takes a catalog back to a revision. Without `--yes` it only shows what that would change. */
export async function restore(
  client: CatalogClient,
  typeName: string,
  { revision, yes, confirmShrink }: RestoreOptions,
  output: Output,
): Promise<ExitCode> {
  const { name: type } = typeNamed(typeName)
  const path = '/admin/catalogs/v1/{type}/restore'
  const query = { revision, confirm_shrink: confirmShrink }
  const plan = await client.post(path, { params: { type }, query: { ...query, dry_run: true } })
  const text = `${type}, back to revision ${revision}: ${countsText(plan)}.`
  if (!yes) {
    await output.result(`${text} Nothing was changed. To do it: --yes.`, { exit: EXIT.done, plan })
    return EXIT.done
  }
  if (changesOf(plan) === 0) output.note('Nothing differs.')
  const { revision: expected_revision, epoch: expected_epoch } = plan
  const written = await client.post(path, {
    params: { type },
    query: { ...query, expected_revision, expected_epoch },
  })
  await output.result(`${text} Done; the revision is ${written.revision}.`, {
    exit: EXIT.done,
    plan,
    written,
  })
  return EXIT.done
}

/** A whole number that an option takes. */
export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw wrongUse(`“${text}” is no whole number.`)
  return Number(text)
}
