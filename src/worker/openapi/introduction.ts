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
      return `- \`${field.name}\`${others}${field.required ? ', required' : ''}${list}${values}`
    })
    .join('\n')
}

const columns = Object.values(recordTypes)
  .map((type) => `### Columns of ${type.plural}\n\n${fieldLines(type)}`)
  .join('\n\n')

export const API_DESCRIPTION = `A workspace's own formulary catalogs: medications, lab tests, symptoms and diagnoses.

Every path is the same resource with and without its trailing slash. Request bodies may be gzip. Unknown query \
parameters return 400, and the message suggests the nearest one. Every response has an \`X-Request-Id\`.

## Versions

The version is in the path (\`v1\`). Within \`v1\`, properties, optional parameters, endpoints and values of open \
lists (\`code\`, \`outcome\`, \`event\`, \`format\`) may be added at any time, so ignore what you do not know. Texts \
for people (\`message\`, \`msg\`) may be reworded. Nothing is removed, renamed or given another meaning without twelve \
months' notice: the changelog lists it under Deprecated, the operation is marked \`deprecated\` here, and its \
responses carry \`Deprecation\` (RFC 9745) and \`Sunset\` (RFC 8594).

## CSV files

- One header row, then one row per record, at most ${MAX_CSV_ROWS.toLocaleString('en')} rows. \
The order of columns is free. Headers match in any case, with
  spaces or hyphens for underscores. If a column has a field's own name, columns with its other names are ignored with a
  warning, and so are unknown columns.
- The separator is a comma, or a semicolon or a tab if the header row shows it. A first line \`sep=;\` names it.
- UTF-8 with or without a byte order mark, UTF-16 with one, else Windows-1252.
- An empty cell means that the value is absent. Cells are trimmed, except \`refid\`.
- Booleans: ${BOOLEAN_WORDS.map((word) => `\`${word}\``).join(', ')}, in any case.
- A value with the separator, a quote or a line break must be in quotes; a quote inside it is doubled.

${columns}`

/** In the order in which the page of the description shows them. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Core: 'What most integrations need: a token, records to read and write, and partner search.',
  Catalog: 'More about the four catalogs: the search source and the accepted dosage forms.',
  'Partner search': 'Reports of searches without a match.',
  'Data quality': 'Possible problems of a catalog, searches without a match, and names that users add to records.',
  'Search element': 'The search box for pages of partners, `<catalog-search>`.',
  Uploads: 'Uploads and their outcomes, and pending uploads that await approval.',
  History: 'Status of the catalogs, sync monitoring, what each write changed, the change feed, and restore.',
  Documents: 'Files that are uploaded for a user.',
  Registration: 'The registration of a mobile number.',
  Authentication: 'Access tokens, and the keys that verify them.',
  'Browser login': 'The login of users with their own account (OpenID Connect).',
  Workspace: 'Keys, members and webhooks of a workspace, for its admins.',
  Operator:
    'Endpoints for the operator of the service. Operations that admins can do, too, are described under ' +
    'Workspace.',
  Service: 'Health, and this description.',
  'Client package': 'A client for JavaScript, and the command line `dcs`.',
}
