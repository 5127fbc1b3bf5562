/**
 * A message of the service, which counts rows from the first below the header row, for people, who read the numbers
 * beside the rows.
 */
export const withRowNumbers = (message: string, headerRow: number): string =>
  message.replace(
    /(?<!header )\b(at index|row) (\d+)/g,
    (_, word: string, index: string) => `${word === 'row' ? 'row' : 'in row'} ${Number(index) + headerRow}`,
  )
