import type { FileSummary, Reading } from '#files/file-summary'

export const hasAnswers = (answers: Reading): boolean => Object.keys(answers).length > 0

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** For each column, its position in another file; undefined if that does not have all of them, or one of them twice. */
function positionsIn(before: readonly string[], now: readonly string[]): number[] | undefined {
  if (isSame(before, now)) return before.map((_, position) => position)
  const positions = before.map((header) => (header === '' ? -1 : now.indexOf(header)))
  const isClear = positions.every((position) => position !== -1) && new Set(positions).size === positions.length
  return isClear ? positions : undefined
}

const atNewPositions = <Value>(
  entries: ReadonlyMap<number, Value> = new Map(),
  positions: readonly number[],
): Map<number, Value> => new Map([...entries].map(([position, value]) => [positions[position] ?? position, value]))

/** What is asked under a key: the same if the same cells are meant. */
const askedUnder = ({ questions }: FileSummary, key: string) =>
  questions
    .filter((question) => question.key === key)
    .map(({ field, count, examples }) => [field, count, examples.map(({ shown }) => shown)])

/**
 * The answers about a file that hold for another one too; undefined if that has not all of its columns.
 *
 * @param before the file that the answers are about @param now the other one
 */
export function keptAnswers(answers: Reading, before: FileSummary, now: FileSummary): Reading | undefined {
  const positions = positionsIn(before.csv.header, now.csv.header)
  if (positions === undefined || before.csv.hasHeader !== now.csv.hasHeader) return undefined
  const { mapping, meanings, fills = [], choices = [], isOfType, hasRightColumns } = answers
  const keptChoices = [...choices].flatMap(([key, choice]) => {
    const newKey = key.replace(/^\d+/, (before: string) => `${positions[Number(before)]}`)
    return isSame(askedUnder(before, key), askedUnder(now, newKey)) ? [[newKey, choice] as const] : []
  })
  // A field that has a column now is read from that.
  const readNow = now.csv.fileColumns.map(({ field }) => field?.name)
  const keptFills = [...fills].flatMap(([field, fill]) => {
    if (readNow.includes(field)) return []
    const newFill = fill.is === 'column' ? { ...fill, position: positions[fill.position] ?? fill.position } : fill
    return [[field, newFill] as const]
  })
  return {
    mapping: atNewPositions(mapping, positions),
    meanings: atNewPositions(meanings, positions),
    fills: new Map(keptFills),
    choices: new Map(keptChoices),
    isOfType,
    hasRightColumns: hasRightColumns === true && isSame(before.csv.header, now.csv.header),
    totals: isSame(before.csv.totals, now.csv.totals) ? answers.totals : undefined,
    hiddenRows: before.hiddenRows === now.hiddenRows ? answers.hiddenRows : undefined,
    isHeaderRight: isSame(before.csv.rowsAbove, now.csv.rowsAbove) ? answers.isHeaderRight : undefined,
  }
}
