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
- A value with the separator, a quote or a line end must be in quotes; a quote inside is written twice.

${columns}`

/** In the order in which the page of the description shows them. */
export const TAG_DESCRIPTIONS: Readonly<Record<string, string>> = {
  Core: 'What most integrations need: a token, records to read and write, and partner search.',
  Catalog: 'More about the four catalogs: the search switch and the accepted drug forms.',
  'Partner search': 'Reports of searches without a match.',
  'Data quality': 'Possible problems of a catalog, searches without a match, and names that people add to records.',
  'Search element': 'The search box for pages of partners, `<catalog-search>`.',
  Uploads: 'What was sent to be written and what became of it, and files that wait to be written.',
  History: 'Status of the catalogs, their watch, what each write changed, a feed for mirrors, and restore.',
  Documents: 'Files that are uploaded for a person.',
  Registration: 'The registration of a mobile number.',
  Authentication: 'Access tokens, and the keys that verify them.',
  'Browser login': 'The login of people with their own account (OpenID Connect).',
  Workspace: 'Keys, members and webhooks of a workspace, for its admins.',
  Operator: 'Requests of the operator of the service. What admins can do too is described under Workspace.',
  Service: 'Health, and this description.',
  'Client package': 'A client for JavaScript, and the command line `dcs`.',
}
