import { MAX_CSV_ROWS } from '#shared/limits'
import { BOOLEAN_WORDS } from '#shared/records/csv/cell'
import type { RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

function fieldLines({ fields }: RecordType): string {
  return fields
    .map((field) => {
      const others = field.headers?.length ? ` (also ${field.headers.map((name) => `\`${name}\``).join(', ')})` : ''
      const list = field.kind === 'list' ? `; \`${field.separator}\` between items` : ''
      const values = field.kind === 'enum' ? `; one of ${field.values.map((value) => `\`${value}\``).join(', ')}` : ''
      return `- \`${field.name}\`${others}${field.required ? ', mandatory' : ''}${list}${values}`
    })
    .join('\n')
}

const columns = Object.values(recordTypes)
  .map((type) => `### Columns of ${type.plural}\n\n${fieldLines(type)}`)
  .join('\n\n')

export const API_DESCRIPTION = `A workspace's own formulary catalogs: medications, lab tests, symptoms and diagnoses.

Every path is the same resource with and without its trailing slash. Request bodies may be gzip. A query parameter \
that an
endpoint does not have is refused with 400, and the answer names the nearest one. Every answer carries \`X-Request-Id\`.

## CSV files

- One header row, then one row per record, at most ${MAX_CSV_ROWS.toLocaleString('en')} rows. \
The order of columns is free. Headers match in any case, with
  spaces or hyphens for underscores. If a column has a field's own name, columns with its other names are ignored with a
  warning, and so are unknown columns.
- The separator is a comma, or a semicolon or a tab if the header row shows it. A first line \`sep=;\` names it.
- UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252.
- An empty cell means that the value is absent. Cells are trimmed, except \`refid\`.
- Booleans: ${BOOLEAN_WORDS.map((word) => `\`${word}\``).join(', ')}, in any case.
- A value with the separator, a quote or a line end must be in quotes; a quote inside is written twice.

${columns}`

export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Catalog: 'Read, write and compare the records of the four catalogs.',
  'Partner search': 'The search that partners build into their products.',
  'Search element': 'The search box for pages of partners, `<catalog-search>`.',
  Uploads: 'What was sent to be written and what became of it, and files that wait to be written.',
  History: 'Status of the catalogs, their watch, what each write changed, a feed for mirrors, and restore.',
  Documents: 'Files that are uploaded for a person.',
  Registration: 'The registration of a mobile number.',
  Authentication: 'Access tokens, and the keys that verify them.',
  'Browser login': 'The login of people with their own account (OpenID Connect).',
  Workspace: 'Keys, members and webhooks of a workspace, for its admins.',
  Operator: 'Calls for the operator of the service.',
  Service: 'Health, and this description.',
  'Client package': 'A client for JavaScript, and the command line `dcs`.',
}
