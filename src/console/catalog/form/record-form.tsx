import { Alert, Button, Fieldset, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core'
import { CircleAlert, TriangleAlert } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { isRefusal } from '#client/service-error'
import type { Field, RawRecord, RecordType } from '#shared/records/record-type'
import { UNSAVED, useLeaveQuestion } from '../../frame/leave-guard'
import { type ListState, recordAddress } from '../../record/catalog-address'
import { fieldGroups } from '../../record/field-groups'
import type { WriteResult } from '../../service/answers'
import { ActionBar } from '../../widgets/action-bar'
import { FocusedAlert } from '../../widgets/done-notice'
import { Form } from '../../widgets/form'
import { type Column, ItemTable } from '../../widgets/item-table'
import { Problem } from '../../widgets/problem'
import { fieldLabel, valueText } from '../../wording'
import { FieldInput } from './field-input'
import { isRequired } from './form-record'
import { type Conflict, type RecordFormState, useRecordForm } from './use-record-form'

interface RecordFormProps {
  type: RecordType
  list: ListState
  initial: RawRecord
  isNew: boolean
  cancelAddress: string
  onSaved: (id: string, text: string) => void
}

/** All fields of a record, based on its type's definition, grouped as on its page. */
export function RecordForm({ type, list, initial, isNew, cancelAddress, onSaved }: RecordFormProps) {
  const [, navigate] = useLocation()
  const form = useRecordForm({
    type,
    initial,
    isNew,
    onSaved: (id, result) => {
      release()
      onSaved(id, savedText(result))
      navigate(recordAddress(type, id, list), { replace: true })
    },
  })
  const release = useLeaveQuestion(form.isChanged ? UNSAVED : undefined)
  return (
    <Form
      label={isNew ? `New ${type.title}` : `Edit the ${type.title}`}
      refusal={form.refusal}
      onSubmit={() => form.submit()}
    >
      <Stack gap="md">
        <Paper withBorder p={{ base: 'sm', sm: 'lg' }}>
          <FormGroups type={type} isNew={isNew} form={form} />
        </Paper>
        <ActionBar above={<Refusal form={form} />}>
          <Button component={Link} href={cancelAddress} variant="default">
            Cancel
          </Button>
          <Button type="submit" loading={form.isSaving}>
            Save
          </Button>
        </ActionBar>
      </Stack>
    </Form>
  )
}

function Refusal({ form }: { form: RecordFormState }) {
  const { errors, conflict, error } = form
  const count = Object.keys(errors).length
  if (conflict !== undefined) return <ConflictNotice conflict={conflict} form={form} />
  if (count > 0) {
    return (
      <Alert color="red" icon={<CircleAlert />} role="alert" p="xs">
        {count === 1 ? 'One field needs a correction.' : `${count} fields need a correction.`} Nothing was saved.
      </Alert>
    )
  }
  if (error === null) return null
  const title = isRefusal(error)
    ? 'The record could not be saved'
    : 'The service did not answer whether the record is saved. Save it again: nothing is written twice.'
  return <Problem title={title} error={error} />
}

/** Shows what someone else has written in the meantime, next to the user's own values. */
function ConflictNotice({ conflict, form }: { conflict: Conflict; form: RecordFormState }) {
  const { before, theirs, fields } = conflict
  const isMine = (name: string) => form.mineOf(name) !== undefined
  const columns: readonly Column<Field>[] = [
    { label: 'Field', cell: ({ name }) => fieldLabel(name), isRowHeader: true, className: 'label-cell' },
    { label: 'Was', cell: ({ name }) => valueText(before[name]) },
    { label: 'Their value', cell: ({ name }) => valueText(theirs[name]) },
    {
      label: 'Your value',
      cell: ({ name }) =>
        isMine(name) ? (
          <Group gap="xs">
            {valueText(form.mineOf(name))}
            <Button size="compact-xs" variant="default" onClick={() => form.takeTheirs(name)}>
              Use their value
            </Button>
          </Group>
        ) : (
          'keep their value'
        ),
    },
  ]
  return (
    <FocusedAlert color="yellow" icon={<TriangleAlert />} title="Someone else has changed this record" role="alert">
      <Text size="sm">Nothing was saved. Check what they have changed, then save again.</Text>
      {fields.length > 0 && (
        <ItemTable
          name="fields that someone else has changed"
          items={fields}
          idOf={({ name }) => name}
          columns={columns}
          minWidth={440}
          maxHeight={240}
          verticalSpacing={4}
        />
      )}
    </FocusedAlert>
  )
}

function savedText({ unchanged, warnings }: WriteResult): string {
  const outcomeText = unchanged > 0 ? 'Nothing had to be changed.' : 'Saved.'
  // A user who cleared a field in the form knows it.
  const others = warnings.filter(({ code }) => code !== 'emptied')
  return [outcomeText, ...others.map(({ field, msg }) => `${fieldLabel(field)} ${msg}.`)].join(' ')
}

interface FormGroupsProps {
  type: RecordType
  isNew: boolean
  form: RecordFormState
}

/** The fields of a form, grouped as on the record's page. For a new record, the required ID comes first. */
function FormGroups({ type, isNew, form }: FormGroupsProps) {
  const groups = fieldGroups(type)
  const state = { title: 'State', fields: type.fields.filter(({ name }) => name === 'is_active') }
  const ordered = isNew ? [...groups.slice(-1), ...groups.slice(0, -1)] : groups
  return (
    <Stack gap="lg">
      {[...ordered, state].map(({ title, fields }) => (
        <Fieldset key={title} legend={title} variant="unstyled" className="form-group">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xl" verticalSpacing="md">
            {fields.map((field) => (
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
            ))}
          </SimpleGrid>
        </Fieldset>
      ))}
    </Stack>
  )
}
