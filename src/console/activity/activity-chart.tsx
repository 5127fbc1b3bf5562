import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { RecordType } from '#shared/records/record-type'
import { uploadAddress, writeAddress } from '../history/history-address'
import type { ActivityDay } from '../service/answers'
import { numberText } from '../wording'
import { dayName, dayText, periodText } from './activity-text'

/** Units of the drawing: the width of a day. The line is above the bars, the marks are below. */
const DAY = 10
const LINE = { top: 4, bottom: 40 }
const BASELINE = 62
const LONGEST_BAR = 18
const MARKS = 84
const HEIGHT = 90

const COLORS = {
  active: 'var(--mantine-color-text)',
  added: 'var(--mantine-color-green-filled)',
  updated: 'var(--mantine-color-blue-filled)',
  deactivated: 'var(--mantine-color-red-filled)',
  rejected: 'var(--mantine-color-error)',
  same: 'var(--mantine-color-dimmed)',
  baseline: 'var(--mantine-color-default-border)',
  chosen: 'var(--mantine-color-gray-light)',
} as const

interface ActivityChartProps {
  type: RecordType
  /** Oldest first. */
  days: readonly ActivityDay[]
}

const addressOf = (type: RecordType, { upload_id, batch_id }: ActivityDay): string | undefined => {
  if (batch_id !== null) return writeAddress(type, batch_id)
  return upload_id === null ? undefined : uploadAddress(type, upload_id)
}

/**
 * Charts the last days of a catalog: active records as a line, changes as bars, uploads that were not written as marks.
 * Pointing at a day, tapping it or reaching it with the arrow keys shows what happened; a click or Enter opens it.
 */
export default function ActivityChart({ type, days }: ActivityChartProps) {
  const [, navigate] = useLocation()
  const [chosen, setChosen] = useState<number>()
  const day = chosen === undefined ? undefined : days[chosen]
  const [first, today] = [days[0], days.at(-1)]
  const address = day && addressOf(type, day)
  const open = () => address !== undefined && navigate(address)
  const dayAt = ({ currentTarget, clientX }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.max(0, Math.min(days.length - 1, Math.floor(((clientX - left) / width) * days.length)))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const last = days.length - 1
    const at = chosen ?? last
    const next = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, Home: 0, End: last }[
      event.key
    ]
    if (event.key === 'Enter') open()
    if (next === undefined) return
    event.preventDefault()
    setChosen(Math.max(0, Math.min(last, next)))
  }
  return (
    <div className="activity">
      <div
        className="activity-picture"
        role="slider"
        tabIndex={0}
        aria-label={`Days of the ${type.plural}`}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={(chosen ?? days.length - 1) + 1}
        aria-valuetext={today && dayText(day ?? today)}
        onFocus={() => setChosen((before) => before ?? days.length - 1)}
        onBlur={() => setChosen(undefined)}
        onKeyDown={onKeyDown}
        onPointerMove={(event) => setChosen(dayAt(event))}
        onPointerLeave={(event) => event.pointerType === 'mouse' && setChosen(undefined)}
        // A tap only selects the day. The link next to its text opens it.
        onClick={({ nativeEvent }) => !('pointerType' in nativeEvent && nativeEvent.pointerType === 'touch') && open()}
        data-opens={address !== undefined || undefined}
      >
        <Picture days={days} chosen={chosen} />
      </div>
      <Group justify="space-between" gap={0} aria-hidden>
        <Text size="xs" c="dimmed">
          {first && dayName(first.date)}
        </Text>
        <Text size="xs" c="dimmed">
          Today
        </Text>
      </Group>
      <Text size="sm" c="dimmed" className="activity-text">
        {day === undefined ? periodText(days) : dayText(day)}
        {address !== undefined && (
          // Opens on pointer down, before the chart loses the focus and with it the selected day.
          <Anchor component={Link} href={address} inherit tabIndex={-1} onPointerDown={open}>
            Open
          </Anchor>
        )}
      </Text>
      <VisuallyHidden>
        <Figures type={type} days={days} />
      </VisuallyHidden>
    </div>
  )
}

/** The drawing only. @param chosen the selected day */
function Picture({ days, chosen }: { days: readonly ActivityDay[]; chosen: number | undefined }) {
  const most = Math.max(1, ...days.map(({ active }) => active))
  const least = Math.min(...days.map(({ active }) => active))
  // Small changes of a large catalog should be visible, so the line does not start at zero.
  const range = Math.max(most - least, most / 20, 1)
  const heightOf = (active: number) => LINE.bottom - ((active - least) / range) * (LINE.bottom - LINE.top)
  const line = days.map(
    ({ active }, n) => `${n === 0 ? 'M' : 'V'}${n === 0 ? '0 ' : ''}${heightOf(active)}H${(n + 1) * DAY}`,
  )
  const largest = Math.max(1, ...days.flatMap(({ deactivated, ...day }) => [deactivated, addedIn(day) + day.updated]))
  // On a logarithmic scale, so that a hundred changes are visible next to the first upload of the whole catalog.
  const barOf = (count: number) => (count === 0 ? 0 : 2 + ((LONGEST_BAR - 2) * Math.log1p(count)) / Math.log1p(largest))
  return (
    <svg viewBox={`0 0 ${days.length * DAY} ${HEIGHT}`} aria-hidden>
      {chosen !== undefined && <rect fill={COLORS.chosen} x={chosen * DAY} width={DAY} height={HEIGHT} />}
      <path fill="none" stroke={COLORS.active} strokeWidth={1.5} d={line.join('')} />
      <path stroke={COLORS.baseline} d={`M0 ${BASELINE}H${days.length * DAY}`} />
      {days.map((day, n) => {
        const [added, x] = [addedIn(day), n * DAY + 1.5]
        const up = barOf(added + day.updated)
        const addedPart = added === 0 ? 0 : (up * added) / (added + day.updated)
        const down = barOf(day.deactivated) * 0.7
        return (
          <g key={day.date}>
            <rect fill={COLORS.added} x={x} width={7} y={BASELINE - up} height={addedPart} />
            <rect fill={COLORS.updated} x={x} width={7} y={BASELINE - up + addedPart} height={up - addedPart} />
            <rect fill={COLORS.deactivated} x={x} width={7} y={BASELINE} height={down} />
            {up + down === 0 && day.writes > 0 && <circle fill={COLORS.same} cx={x + 3.5} cy={BASELINE} r={1.6} />}
            {day.rejected > 0 && (
              <path fill="none" stroke={COLORS.rejected} strokeWidth={1.6} d={`M${x} ${MARKS - 3.5}l7 7m0 -7l-7 7`} />
            )}
            {day.not_sent > 0 && day.rejected === 0 && (
              <circle fill="none" stroke={COLORS.rejected} strokeWidth={1.6} cx={x + 3.5} cy={MARKS} r={3} />
            )}
          </g>
        )
      })}
    </svg>
  )
}

const addedIn = ({ inserted, reactivated }: Pick<ActivityDay, 'inserted' | 'reactivated'>): number =>
  inserted + reactivated

const COLUMNS = [
  ['Active', ({ active }) => active],
  ['Added', addedIn],
  ['Updated', ({ updated }) => updated],
  ['Deactivated', ({ deactivated }) => deactivated],
  ['Rejected', ({ rejected }) => rejected],
  ['Missing', ({ not_sent }) => not_sent],
] as const satisfies readonly (readonly [string, (day: ActivityDay) => number])[]

/** The same for screen readers. */
const Figures = ({ type, days }: ActivityChartProps) => (
  <table>
    <caption>{`The last ${days.length} days of the ${type.plural}, without days on which nothing was sent`}</caption>
    <thead>
      <tr>
        <th scope="col">Day</th>
        {COLUMNS.map(([label]) => (
          <th key={label} scope="col">
            {label}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {days
        .filter(({ writes, rejected, not_sent }) => writes + rejected + not_sent > 0)
        .map((day) => (
          <tr key={day.date}>
            <th scope="row">{dayName(day.date)}</th>
            {COLUMNS.map(([label, countOf]) => (
              <td key={label}>{numberText(countOf(day))}</td>
            ))}
          </tr>
        ))}
    </tbody>
  </table>
)
