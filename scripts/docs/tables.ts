import { FIELD_ERROR_CODES } from '#shared/errors/schemas'
import * as limits from '#shared/limits'
import { type Field, RECORD_TYPES, type RecordType } from '#shared/records/record-type'
import { recordTypes } from '#shared/records/record-types'

/** The tables of `docs/contract.md` that are generated from the code. */

const types = RECORD_TYPES.map((name) => recordTypes[name])

const code = (text: string): string => `\`${text}\``
const escaped = (cell: string): string => cell.replaceAll('|', '\\|')
const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), `|${'---|'.repeat(head.length)}`, ...rows.map(row)].join('\n')

const codes = (names: readonly string[]): string => names.map(code).join(', ')

/** The form of the field's value in JSON, with its limit. */
function valueText(field: Field): string {
  switch (field.kind) {
    case 'string':
      return `string, up to ${field.maxLength}`
    case 'list':
      return `list of strings, each up to ${field.maxLength}`
    case 'enum':
      return `one of ${codes(field.values)}`
    case 'boolean':
      return field.default === undefined ? 'boolean' : `boolean, ${code(String(field.default))} if not sent`
    case 'any':
      return 'any JSON value'
  }
}

/** The other headers of a field in CSV files, by type if they differ. */
function headersOf(name: string): string {
  const owners = types.flatMap(({ title, fields }) =>
    fields.filter((field) => field.name === name).map(({ headers = [] }) => ({ title, headers: codes(headers) })),
  )
  const isSame = owners.every(({ headers }) => headers === owners[0]!.headers)
  return isSame ? owners[0]!.headers : owners.map(({ title, headers }) => `${headers} (${title})`).join(', ')
}

const fieldRow = (field: Field) => [
  code(field.name),
  valueText(field),
  field.required ? 'yes' : '',
  field.description,
  headersOf(field.name),
]

const FIELD_HEAD = ['field', 'value', 'required', 'meaning', 'other headers in CSV files']

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

const isShared = ({ name }: Field): boolean => types.every((type) => type.fields.some((field) => field.name === name))

const ownFields = (type: RecordType): readonly Field[] =>
  type.fields.filter((field) => field.name !== type.idField && !isShared(field))

/** Types with the same fields share one table. The ID field has a different name in each type. */
function recordFields(): string {
  const { fields } = types[0]!
  const id = fields[0]!
  const shared = [
    [
      codes(types.map((type) => type.idField)),
      valueText(id),
      'yes',
      'The record ID in your own system. The field is named after the type.',
      codes(id.headers ?? []),
    ],
    ...fields.filter(isShared).map(fieldRow),
  ]
  const groups = Map.groupBy(types, (type) => codes(ownFields(type).map(({ name }) => name)))
  const own = Array.from(groups.values(), (group) => {
    const title = capital(group.map(({ title }) => title).join(' and '))
    return `#### ${title}\n\n${table(FIELD_HEAD, ownFields(group[0]!).map(fieldRow))}`
  })
  return [`#### Every type\n\n${table(FIELD_HEAD, shared)}`, ...own].join('\n\n')
}

const fieldErrorCodes = (): string =>
  table(
    ['code', 'meaning'],
    Object.entries(FIELD_ERROR_CODES).map(([name, meaning]) => [code(name), meaning]),
  )

const number = (value: number): string => value.toLocaleString('en-US')

const LIMITS: readonly (readonly [string, number, string])[] = [
  ['request body', limits.MAX_BODY_BYTES, 'bytes, as received and after decompression'],
  ['body of an endpoint that takes a small JSON object', limits.MAX_SMALL_BODY_BYTES, 'bytes'],
  ['request duration', limits.REQUEST_DEADLINE_MS / 1000, 'seconds'],
  ['rows with data in a CSV file', limits.MAX_CSV_ROWS, ''],
  ['rows of a CSV file, including empty rows', limits.MAX_CSV_LINES, ''],
  ['columns of a CSV file', limits.MAX_CSV_COLUMNS, ''],
  ['elements of a JSON list', limits.MAX_JSON_RECORDS, ''],
  ['levels to which a value may be nested', limits.MAX_JSON_DEPTH, ''],
  ['one record in the database', limits.MAX_RECORD_CHARACTERS, 'characters, its lists included'],
  ['items of one list of a record', limits.MAX_LIST_ITEMS, ''],
  ['normalized names and aliases of the records of one write', limits.MAX_REQUEST_SEARCH_CHARACTERS, 'characters'],
  [
    'records of one write on their way to the database',
    limits.MAX_SENT_BYTES,
    'bytes of memory; only very many quotes, backslashes or control characters take more, or 10 MB of aliases',
  ],
  ['warnings of ignored fields and columns', limits.MAX_WARNINGS, 'and one that counts the rest'],
  ['normalized names and aliases of one record', limits.MAX_SEARCH_TEXT_CHARACTERS, 'characters'],
  ['values in a JSON body of records', limits.RECORDS_JSON_LIMITS.values, ''],
  ['lists and objects in a JSON body of records', limits.RECORDS_JSON_LIMITS.containers, ''],
  ['`limit` of a page', limits.MAX_PAGE_SIZE, `at most; ${limits.DEFAULT_PAGE_SIZE} if not sent`],
  ['`q` of a list', limits.MAX_QUERY_LENGTH, 'characters'],
  ['`limit` of a partner search', limits.MAX_SEARCH_RESULTS, `at most; ${limits.DEFAULT_SEARCH_RESULTS} if not sent`],
  ['`offset` of a partner search', limits.MAX_SEARCH_OFFSET, 'at most'],
  ['records of each kind in a diff', limits.DIFF_LIST_RECORDS, 'in JSON; as CSV all'],
  ['uploads of a catalog that were not written', limits.KEPT_REFUSALS, `the newest, for ${limits.REFUSAL_DAYS} days`],
  ['pending uploads of a catalog', limits.MAX_HELD_FILES, ''],
  ['access token', limits.ACCESS_TOKEN_SECONDS, 'seconds'],
  ['access token from a partner token', limits.PARTNER_SESSION_SECONDS, 'seconds'],
  ['partner token, `exp - iat`', limits.MAX_PARTNER_TOKEN_SECONDS, 'seconds'],
  ['difference between the clocks of partner and service', limits.PARTNER_CLOCK_TOLERANCE_SECONDS, 'seconds'],
  ['`jti` of a partner token', limits.MAX_JTI_LENGTH, 'characters'],
  ['origins of a partner credential', limits.MAX_ALLOWED_ORIGINS, ''],
  ['email address', limits.MAX_EMAIL_LENGTH, 'characters'],
  ['browser login, from its start to its end', limits.LOGIN_TRANSACTION_SECONDS, 'seconds'],
  ['browser session', limits.SESSION_SECONDS, 'seconds'],
  ['browser sessions of one user', limits.MAX_SESSIONS, 'the next login ends the oldest'],
  ['code of a command-line login', limits.LOGIN_CODE_SECONDS, 'seconds'],
  ['`return_to` of a login', limits.MAX_RETURN_TO_LENGTH, 'characters'],
  ['registration', limits.REGISTRATION_SECONDS, 'seconds'],
  ['tasks of a document', limits.MAX_DOCUMENT_TASKS, ''],
  ...Object.entries(limits.WORKSPACE_LIMITS).map(([name, limit]): [string, number, string] => [
    `${name.replaceAll('_', ' ').replace('api', 'API')} of a workspace`,
    limit,
    'not revoked',
  ]),
  ['address of a webhook', limits.MAX_WEBHOOK_ADDRESS_LENGTH, 'characters'],
  ['`every_hours` of sync monitoring', limits.MAX_WATCH_HOURS, 'at most; at least 1'],
  ['`grace_hours` of sync monitoring', limits.MAX_GRACE_HOURS, `at most; ${limits.DEFAULT_GRACE_HOURS} if not sent`],
]

const limitTable = (): string =>
  table(
    ['limit', 'value', 'unit'],
    LIMITS.map(([name, value, unit]) => [name, number(value), unit]),
  )

/** Every generated block, by its name. */
const blocks = (): Readonly<Record<string, string>> => ({
  'field-error-codes': fieldErrorCodes(),
  'record-fields': recordFields(),
  limits: limitTable(),
})

const BLOCK = /(<!-- generated: ([\w-]+) -->\n).*?(<!-- \/generated -->)/gs

/**
 * Fills the marked blocks of a document.
 *
 * @throws Error for a marker without a table of that name
 */
export function fillBlocks(document: string): string {
  const made = blocks()
  return document.replaceAll(BLOCK, (_, start: string, name: string, end: string) => {
    const block = made[name]
    if (block === undefined) throw new Error(`no table is named ${name}`)
    return `${start}${block}\n${end}`
  })
}
