import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { JsonSchemas } from '#openapi/json-schemas'

describe('shared schemas', () => {
  it('stand once where the request and the answer read the same', () => {
    const unit = z.object({ unit: z.string() }).meta({ id: 'Unit' })
    const schemas = new JsonSchemas()
    const sent = schemas.add(z.array(unit), 'input')
    const answered = schemas.add(unit, 'output')
    expect(schemas.resolve(sent, 'input')).toEqual({
      type: 'array',
      items: { $ref: '#/components/schemas/Unit' },
    })
    expect(schemas.resolve(answered, 'output')).toEqual({ $ref: '#/components/schemas/Unit' })
    expect(Object.keys(schemas.components())).toEqual(['Unit'])
  })

  it('are split in two where a default makes the request differ, along with what refers to them', () => {
    const leaf = z.object({ active: z.boolean().default(true) }).meta({ id: 'Leaf' })
    const tree = z.object({ leaf }).meta({ id: 'Tree' })
    const schemas = new JsonSchemas()
    const sent = schemas.add(tree, 'input')
    const answered = schemas.add(tree, 'output')
    expect(schemas.resolve(sent, 'input')).toEqual({ $ref: '#/components/schemas/TreeInput' })
    expect(schemas.resolve(answered, 'output')).toEqual({ $ref: '#/components/schemas/Tree' })
    const components = schemas.components()
    expect(Object.keys(components)).toEqual(['Leaf', 'LeafInput', 'Tree', 'TreeInput'])
    expect(components.TreeInput).toMatchObject({
      properties: { leaf: { $ref: '#/components/schemas/LeafInput' } },
    })
    expect(components.Leaf).toMatchObject({ required: ['active'] })
    expect(components.LeafInput).not.toHaveProperty('required')
  })

  it('leave answers open to new members, and strict objects closed', () => {
    const schemas = new JsonSchemas()
    expect(schemas.add(z.object({ a: z.string() }), 'output')).not.toHaveProperty('additionalProperties')
    expect(schemas.add(z.strictObject({ a: z.string() }), 'output')).toHaveProperty(
      'additionalProperties',
      false,
    )
  })
})
