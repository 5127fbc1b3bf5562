import * as z from 'zod'

type Json = Record<string, unknown>

/** Which side of a schema is described: what is sent, or what is answered. */
export type Direction = 'input' | 'output'

const DEFINITION = '#/$defs/'
const COMPONENT = '#/components/schemas/'

/** Rebuilds a JSON value, giving each `$ref` of a shared schema its new text. */
function mapReferences(value: unknown, rename: (id: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => mapReferences(item, rename))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) =>
      key === '$ref' && typeof member === 'string' && member.startsWith(DEFINITION)
        ? [key, COMPONENT + rename(member.slice(DEFINITION.length))]
        : [key, mapReferences(member, rename)],
    ),
  )
}

function referencesOf(value: unknown): string[] {
  const found: string[] = []
  mapReferences(value, (id) => {
    found.push(id)
    return id
  })
  return found
}

/**
 * Turns zod schemas into JSON Schema (draft 2020-12, the dialect of OpenAPI 3.1) and gathers those that carry an `id`
 * (`.meta({ id })`) as shared components.
 *
 * A shared schema that reads differently as a request and as an answer becomes two components, `X` for the answer and
 * `XInput` for the request. Which ones do is known only when all have been seen: `add` everything first, and read
 * `resolve` and `components` afterwards.
 */
export class JsonSchemas {
  readonly #definitions: Record<Direction, Map<string, unknown>> = { input: new Map(), output: new Map() }

  /** @returns the JSON Schema of one zod schema, its references not yet resolved */
  add(schema: z.ZodType, direction: Direction): Json {
    const {
      $schema: _,
      $defs,
      ...json
    } = z.toJSONSchema(schema, {
      target: 'draft-2020-12',
      io: direction,
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        // zod closes every object that it returns. Answers may gain members in a later version, so that only
        // objects that are strict by definition are described as closed.
        const definition = zodSchema._zod.def
        if (definition.type === 'object' && !('catchall' in definition && definition.catchall)) {
          delete jsonSchema.additionalProperties
        }
      },
    })
    for (const [id, definition] of Object.entries($defs ?? {}))
      this.#definitions[direction].set(id, definition)
    return json
  }

  /** Points the references of a JSON Schema from `add` to the components. */
  resolve(json: Json, direction: Direction): Json {
    const split = this.#split()
    const rename = (id: string) => (direction === 'input' && split.has(id) ? `${id}Input` : id)
    return mapReferences(json, rename) as Json
  }

  /** All shared schemas, by name. */
  components(): Record<string, Json> {
    const split = this.#split()
    const components: Record<string, Json> = {}
    for (const direction of ['input', 'output'] as const) {
      for (const [id, definition] of this.#definitions[direction]) {
        const name = direction === 'input' && split.has(id) ? `${id}Input` : id
        components[name] = this.resolve(definition as Json, direction)
      }
    }
    return Object.fromEntries(Object.entries(components).sort(([a], [b]) => (a < b ? -1 : 1)))
  }

  /** Ids whose two sides differ, by themselves or through what they refer to. */
  #split(): Set<string> {
    const { input, output } = this.#definitions
    const shared = [...input.keys()].filter((id) => output.has(id))
    const split = new Set(
      shared.filter((id) => JSON.stringify(input.get(id)) !== JSON.stringify(output.get(id))),
    )
    let grown = true
    while (grown) {
      const before = split.size
      for (const id of shared) {
        if (referencesOf(input.get(id)).some((reference) => split.has(reference))) split.add(id)
      }
      grown = split.size > before
    }
    return split
  }
}
