/**
 * The types of the endpoints, generated from the API description: for this project's type check and for the client's
 * package. They depend neither on zod nor on the Workers types.
 */
import { importBundled } from '../bundle.mjs'

/** The file that `#client/endpoints` names. */
export const ENDPOINT_TYPES = 'endpoints.d.ts'

const INDENT = '  '

const comment = ({ description }, indent) =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`

const nameOf = ($ref) => $ref.slice($ref.lastIndexOf('/') + 1)

const union = (schemas, indent) => [...new Set(schemas.map((each) => typeOf(each, indent)))].join(' | ')

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

const member = (name, type, isRequired) => (isRequired ? `${name}: ${type}\n` : `${name}?: ${type} | undefined\n`)

/** The properties of an object, one per line. */
function objectOf({ properties = {}, required = [], additionalProperties }, indent) {
  const inner = indent + INDENT
  const members = Object.entries(properties).map(([name, schema]) => {
    return `${comment(schema, inner)}${inner}${member(keyOf(name), typeOf(schema, inner), required.includes(name))}`
  })
  if (members.length > 0) return `{\n${members.join('')}${indent}}`
  const values = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown'
  return `Record<string, ${values}>`
}

const listOf = ({ items = {}, prefixItems }, indent) =>
  prefixItems === undefined
    ? `(${typeOf(items, indent)})[]`
    : `[${prefixItems.map((each) => typeOf(each, indent)).join(', ')}]`

const SCALARS = { string: 'string', number: 'number', integer: 'number', boolean: 'boolean', null: 'null' }

/** @throws {Error} for an unknown schema, because a wrong type is worse than none */
export function typeOf(schema, indent = '') {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const types = Array.isArray(schema.type) ? schema.type.map((type) => ({ ...schema, type })) : undefined
  const alternatives = schema.anyOf ?? schema.oneOf ?? types
  if (alternatives !== undefined) return union(alternatives, indent)
  if (schema.type === 'array') return listOf(schema, indent)
  if (schema.type === 'object') return objectOf(schema, indent)
  if (SCALARS[schema.type] !== undefined) return SCALARS[schema.type]
  if (schema.allOf?.some(({ $ref }) => $ref !== undefined))
    return schema.allOf.map((each) => typeOf(each, indent)).join(' & ')
  if (schema.type !== undefined) throw new Error(`no type for ${JSON.stringify(schema)}`)
  return 'unknown'
}

/** Numbers for digits, booleans for `true` and `false`, dates for times. */
function parameterType(schema) {
  if (schema.type === 'integer') return `number | \`\${number}\``
  if (schema.format === 'date-time') return 'string | Date'
  if (schema.enum?.join() === 'true,false') return `boolean | 'true' | 'false'`
  return typeOf(schema, INDENT)
}

/** The parameters of one location as an object, and whether all of them are optional. Undefined if there are none. */
function parametersOf(operation, place) {
  const parameters = (operation.parameters ?? []).filter(({ in: where }) => where === place)
  if (parameters.length === 0) return undefined
  const indent = INDENT.repeat(5)
  const members = parameters.map(({ name, schema, required }) => {
    const type = place === 'path' ? 'string' : parameterType(schema)
    return `${comment(schema, indent)}${indent}${member(name, type, required)}`
  })
  const isOptional = parameters.every(({ required }) => !required)
  return { type: `{\n${members.join('')}${INDENT.repeat(4)}}`, isOptional }
}

const ENCRYPTED = '#/components/schemas/EncryptedBody'

/** The body's type: JSON, or a file. An encrypted body has no type of its own: it is a string. */
function bodyOf({ requestBody }) {
  if (requestBody === undefined) return undefined
  const { 'application/json': json, ...others } = requestBody.content
  const plain = (json?.schema.anyOf ?? (json ? [json.schema] : [])).filter(({ $ref }) => $ref !== ENCRYPTED)
  const isFile = Object.keys(others).some((type) => type !== 'application/x-www-form-urlencoded')
  const types = [...plain.map((each) => typeOf(each, INDENT.repeat(4))), ...(isFile ? ['FileInput'] : [])]
  return types.length === 0 ? undefined : { type: types.join(' | '), isOptional: !requestBody.required }
}

function optionsOf(operation) {
  const options = {
    params: parametersOf(operation, 'path'),
    query: parametersOf(operation, 'query'),
    body: bodyOf(operation),
  }
  const members = Object.entries(options).filter(([, option]) => option !== undefined)
  if (members.length === 0) return 'unknown'
  const lines = members.map(([name, { type, isOptional }]) => INDENT.repeat(4) + member(name, type, !isOptional))
  return `{\n${lines.join('')}${INDENT.repeat(3)}}`
}

/** `data` of an envelope, else the whole body; `file` if the response may be a file. */
function answerOf({ responses }) {
  const { 'application/json': json, ...others } = responses['200']?.content ?? {}
  const schema = json?.schema
  const isEnvelope = schema?.properties?.success !== undefined && schema.properties.data !== undefined
  return {
    ...(schema !== undefined && { data: typeOf(isEnvelope ? schema.properties.data : schema, INDENT.repeat(3)) }),
    ...(Object.keys(others).length > 0 && { file: 'true' }),
  }
}

function endpointType(path, operation) {
  const members = Object.entries({ options: optionsOf(operation), ...answerOf(operation) })
  const lines = members.map(([name, type]) => INDENT.repeat(3) + member(name, type, true))
  const indent = INDENT.repeat(2)
  return `${indent}/** ${operation.summary} */\n${indent}'${path}': {\n${lines.join('')}${indent}}\n`
}

/** The API description and the other inputs of the types. */
export async function loadDescription() {
  const { description } = await importBundled('scripts/client/description.ts')
  return description()
}

/** @returns {Promise<string>} */
export async function endpointTypes() {
  const { document, endpoints, errorCodes } = await loadDescription()
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  const methods = Map.groupBy(endpoints, ({ method }) => method)
  const types = [...methods].map(([method, some]) => {
    const members = some.map(({ path: name }) => endpointType(name, document.paths[name][method]))
    return `${INDENT}${method}: {\n${members.join('')}${INDENT}}\n`
  })
  return `/** Made from the API description of the service. */

${schemas.join('\n')}
export type ErrorBody = ErrorResponse

export type ErrorItem = NonNullable<ErrorResponse['errors']>[number]

export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')}

export interface FileInput {
  file: Blob | Uint8Array
  /** The service stores it with the upload. */
  fileName?: string | undefined
}

/** Every endpoint by its method and path, with its options and its response. */
export interface Endpoints {
${types.join('')}}
`
}
