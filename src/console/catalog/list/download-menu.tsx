import { Button, Menu, VisuallyHidden } from '@mantine/core'
import { ChevronDown, Download } from 'lucide-react'
import { Fragment } from 'react'
import type { ServiceClient } from '#client/client'
import type { RecordType } from '#shared/records/record-type'
import { keysOf } from '#shared/text/keys-of'
import type { ListState } from '../../record/catalog-address'
import { isFiltered, type ListFilters, NO_FILTERS, queryOf } from '../../record/filters'
import { sortQuery, USUAL } from '../../record/sort'
import { useSession } from '../../session-context'
import { useDownload } from '../../use-download'
import { Problem } from '../../widgets/problem'
import { titleCase } from '../../wording'
import { writeWorkbook } from '../../workbook/write-workbook'

const FILE_KINDS = {
  xlsx: 'Excel workbook: every cell is text',
  csv: 'CSV file: exact values, for other programs',
} as const

type FileKind = keyof typeof FILE_KINDS

interface DownloadChoice {
  label: string
  list: ListFilters & Pick<ListState, 'q' | 'sort'>
}

function choicesFor({ plural }: RecordType, list: ListState): DownloadChoice[] {
  const all = { q: '', ...NO_FILTERS, sort: USUAL }
  return [
    ...(isFiltered(list) || list.states === 'inactive' ? [{ label: `The ${plural} of this list`, list }] : []),
    { label: `All active ${plural}`, list: all },
    { label: `All ${plural}, inactive ones too`, list: { ...all, states: 'all' } },
  ]
}

async function catalogCsv(client: ServiceClient, type: RecordType, { list }: DownloadChoice): Promise<Blob> {
  const query = { ...queryOf(type, list), ...sortQuery(list), format: 'csv' as const }
  return (await client.file('get', '/admin/datasets/v1/', { query })).blob()
}

/** Downloads a catalog, or the records of a list, for Excel or for other software. */
export function DownloadMenu({ type, list }: { type: RecordType; list: ListState }) {
  const { client } = useSession()
  const { mutate, isPending, isSuccess, error } = useDownload()
  const download = (kind: FileKind, choice: DownloadChoice) =>
    mutate(async () => {
      const csv = await catalogCsv(client, type, choice)
      const sheet = titleCase(type.plural)
      const content = kind === 'csv' ? csv : await writeWorkbook((writer) => writer.csvWorkbook(csv, sheet))
      return { name: `${type.name}.${kind}`, content }
    })
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            variant="default"
            loading={isPending}
            leftSection={<Download size={16} />}
            rightSection={<ChevronDown size={16} />}
          >
            Download
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {keysOf(FILE_KINDS).map((kind) => (
            <Fragment key={kind}>
              <Menu.Label>{FILE_KINDS[kind]}</Menu.Label>
              {choicesFor(type, list).map((choice) => (
                <Menu.Item key={choice.label} onClick={() => download(kind, choice)}>
                  {choice.label} (.{kind})
                </Menu.Item>
              ))}
            </Fragment>
          ))}
        </Menu.Dropdown>
      </Menu>
      <VisuallyHidden role="status">
        {isPending ? 'The file is being created.' : isSuccess ? 'The file is ready.' : ''}
      </VisuallyHidden>
      <Problem title="The file could not be created" error={error} />
    </>
  )
}
