import { Text } from '@mantine/core'
import { Dialog } from '../widgets/dialog'
import { type Column, ItemTable } from '../widgets/item-table'
import type { SubjectDialog } from '../widgets/use-subject'
import { timeText } from '../wording'
import type { Webhook } from './resources'
import { answerText, eventText } from './watch-text'

type SentMessage = Webhook['deliveries'][number]

const COLUMNS: readonly Column<SentMessage>[] = [
  { label: 'When', cell: ({ at }) => timeText(at), isRowHeader: true, className: 'time-cell' },
  { label: 'Told', cell: ({ event }) => eventText(event) },
  {
    label: 'What became of it',
    cell: ({ status, attempt }) => (
      <>
        {answerText(status)}
        {attempt > 1 && (
          <Text size="xs" c="dimmed">
            Attempt {attempt}
          </Text>
        )}
      </>
    ),
  },
]

/** What was sent to a receiver last, and what it answered. */
export const DeliveriesDialog = ({
  shown: { opened, subject, close },
}: {
  shown: SubjectDialog<Webhook>
}) => (
  <Dialog opened={opened} onClose={close} title="Last deliveries" size="lg">
    <Text size="sm" c="dimmed" className="breakable" mb="sm">
      {subject?.url}
    </Text>
    <ItemTable
      name="deliveries"
      items={subject?.deliveries ?? []}
      idOf={({ message_id, attempt }) => `${message_id} ${attempt}`}
      columns={COLUMNS}
      minWidth={300}
    />
  </Dialog>
)
