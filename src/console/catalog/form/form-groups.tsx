import { Collapse, Fieldset, SimpleGrid, Stack } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ReactNode, useId } from 'react'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { fieldGroups, isEmpty } from '../../record/field-groups'
import { FoldButton } from '../../record/fold-button'
import { mainFields } from '../../record/short-texts'
import { FieldInput } from './field-input'
import { isRequired } from './form-record'
import type { RecordFormState } from './use-record-form'

interface FormGroupsProps {
  type: RecordType
  /** As the form began. */
  initial: RawRecord
  isNew: boolean
  form: RecordFormState
}

/** The fields of a form in the groups of the page of a record. What is empty and seldom given is folded. */
export function FormGroups({ type, initial, isNew, form }: FormGroupsProps) {
  const groups = fieldGroups(type)
  const state = { title: 'In use', fields: type.fields.filter(({ name }) => name === 'is_active') }
  // A new record begins with its id, which everything else needs.
  const ordered = isNew ? [groups.at(-1)!, ...groups.slice(0, -1)] : groups
  const isShown = (field: Field): boolean =>
    field.name === 'is_active' ||
    mainFields(type).includes(field.name) ||
    isRequired(type, field, form.record) ||
    !isEmpty(initial[field.name])
  return (
    <Stack gap="lg">
      {[...ordered, state].map(({ title, fields }) => (
        <FormGroup
          key={title}
          title={title}
          shown={fields.filter(isShown)}
          folded={fields.filter((field) => !isShown(field))}
          hasErrors={fields.some((field) => !isShown(field) && form.errors[field.name] !== undefined)}
          input={(field) => (
            <FieldInput
              key={`${field.name} ${form.version}`}
              type={type}
              field={field}
              value={form.record[field.name]}
              error={form.errors[field.name]}
              required={isRequired(type, field, form.record)}
              readOnly={!isNew && field.name === type.idField}
              onChange={(value) => form.change(field.name, value)}
            />
          )}
        />
      ))}
    </Stack>
  )
}

interface FormGroupProps {
  title: string
  shown: readonly Field[]
  folded: readonly Field[]
  /** Whether one of the folded fields is refused: it has to be seen. */
  hasErrors: boolean
  input: (field: Field) => ReactNode
}

function FormGroup({ title, shown, folded, hasErrors, input }: FormGroupProps) {
  const [isOpen, { toggle }] = useDisclosure(false)
  const id = useId()
  const opened = isOpen || hasErrors
  return (
    <Fieldset legend={title} variant="unstyled" className="form-group">
      <Stack gap="sm">
        {shown.length > 0 && <Inputs>{shown.map(input)}</Inputs>}
        {folded.length > 0 && (
          <div>
            <FoldButton count={folded.length} opened={opened} controls={id} onToggle={toggle} />
            <Collapse expanded={opened} id={id} pt="xs">
              <Inputs>{folded.map(input)}</Inputs>
            </Collapse>
          </div>
        )}
      </Stack>
    </Fieldset>
  )
}

const Inputs = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md">
    {children}
  </SimpleGrid>
)
