/**
 * The types of the endpoints, made from the API description: for the type check of this project and for the client's
 * package. They need neither zod nor the types of Workers.
 */
import path from 'node:path'
import { build } from 'esbuild'
import { root } from '../wrangler.mjs'

/** The file that `#client/endpoints` names. */
export const ENDPOINT_TYPES = 'endpoints.d.ts'

const INDENT = '  '

const comment = ({ description }, indent) =>
  description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`

const nameOf = ($ref) => $ref.slice($ref.lastIndexOf('/') + 1)

const union = (schemas, indent) => [...new Set(schemas.map((each) => typeOf(each, indent)))].join(' | ')

const keyOf = (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name))

/** The members of an object, each on a line. */
function objectOf({ properties = {}, required = [], additionalProperties }, indent) {
  const inner = indent + INDENT
  const members = Object.entries(properties).map(([name, schema]) => {
    const optional = required.includes(name) ? '' : '?'
    const value = typeOf(schema, inner)
    return `${comment(schema, inner)}${inner}${keyOf(name)}${optional}: ${value}${optional && ' | undefined'}\n`
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

/** @throws {Error} for a schema that this does not know, because a wrong type is worse than none */
export function typeOf(schema, indent = '') {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  const alternatives = schema.anyOf ?? schema.oneOf
  if (alternatives !== undefined) return union(alternatives, indent)
  if (Array.isArray(schema.type))
    return union(
      schema.type.map((type) => ({ ...schema, type })),
      indent,
    )
  if (schema.type === 'array') return listOf(schema, indent)
  if (schema.type === 'object') return objectOf(schema, indent)
  if (SCALARS[schema.type] !== undefined) return SCALARS[schema.type]
  if (schema.allOf?.some(({ $ref }) => $ref !== undefined)) {
    return schema.allOf.map((each) => typeOf(each, indent)).join(' & ')
  }
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

function parametersOf(operation, place) {
  const parameters = (operation.parameters ?? []).filter(({ in: where }) => where === place)
  if (parameters.length === 0) return 'undefined'
  const members = parameters.map(({ name, schema, required }) => {
    const type = place === 'path' ? 'string' : parameterType(schema)
    return `${comment(schema, INDENT.repeat(3))}${INDENT.repeat(3)}${name}${required ? '' : '?'}: ${type}${required ? '' : ' | undefined'}\n`
  })
  return `{\n${members.join('')}${INDENT.repeat(2)}}`
}

/** What a body may be: JSON, or a file. An encrypted body has no type of its own: it is a string. */
function bodyOf({ requestBody }) {
  if (requestBody === undefined) return 'undefined'
  const { 'application/json': json, ...others } = requestBody.content
  const plain = json?.schema.anyOf?.filter(({ $ref }) => $ref !== ENCRYPTED) ?? (json ? [json.schema] : [])
  const isFile = Object.keys(others).some((type) => type !== 'application/x-www-form-urlencoded')
  const types = [
    ...plain.filter(({ $ref }) => $ref !== ENCRYPTED).map((each) => typeOf(each, INDENT.repeat(2))),
    ...(isFile ? ['FileInput'] : []),
  ]
  return [...types, ...(requestBody.required ? [] : ['undefined'])].join(' | ') || 'undefined'
}

const ENCRYPTED = '#/components/schemas/EncryptedBody'

/** `data` of an envelope, else the whole body; a file is a `Blob`. */
function dataOf({ responses }) {
  const { 'application/json': json, ...others } = responses['200']?.content ?? {}
  const schema = json?.schema
  const isEnvelope = schema?.properties?.success !== undefined && schema.properties.data !== undefined
  const types = [
    ...(schema === undefined ? [] : [typeOf(isEnvelope ? schema.properties.data : schema, INDENT.repeat(2))]),
    ...(Object.keys(others).length > 0 ? ['Blob'] : []),
  ]
  return types.join(' | ') || 'never'
}

function endpointType({ method, path, operation }) {
  const members = {
    method: `'${method}'`,
    path: `'${path}'`,
    params: parametersOf(operation, 'path'),
    query: parametersOf(operation, 'query'),
    body: bodyOf(operation),
    data: dataOf(operation),
  }
  const lines = Object.entries(members).map(([name, type]) => `${INDENT.repeat(2)}${name}: ${type}\n`)
  return `${INDENT}/** ${operation.summary} */\n${INDENT}'${method} ${path}': {\n${lines.join('')}${INDENT}}\n`
}

/** The API description and what else the types are made of. The code of the service is bundled to run it here. */
async function loadDescription() {
  const { outputFiles } = await build({
    entryPoints: [path.join(root, 'scripts', 'client', 'description.ts')],
    absWorkingDir: root,
    write: false,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['cloudflare:*'],
    logLevel: 'silent',
  })
  const code = Buffer.from(outputFiles[0].contents).toString('base64')
  const { description } = await import(`data:text/javascript;base64,${code}`)
  return description()
}

/** @returns {Promise<string>} */
export async function endpointTypes() {
  const { document, endpoints, errorCodes } = await loadDescription()
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) => `${comment(schema, '')}export type ${name} = ${typeOf(schema)}\n`,
  )
  const operations = endpoints.map(({ method, path }) => ({
    method,
    path,
    operation: document.paths[path][method],
  }))
  return `/** Made from the API description of the service. */

${schemas.join('\n')}
export type ErrorBody = ErrorResponse

export type ErrorItem = NonNullable<ErrorResponse['errors']>[number]

export type ErrorCode = ${errorCodes.map((code) => `'${code}'`).join(' | ')}

export type Method = ${[...new Set(operations.map(({ method }) => `'${method}'`))].join(' | ')}

export interface FileInput {
  file: Blob | Uint8Array<ArrayBuffer>
  /** The service stores it with the upload. */
  fileName?: string
}

export interface Description {
  method: Method
  path: string
  params: unknown
  query: unknown
  body: unknown
  data: unknown
}

/** Every endpoint by its method and path. */
export interface Api {
${operations.map(endpointType).join('')}}
`
}
