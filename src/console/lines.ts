/** The lines of what somebody typed, without the blank ones and the white space around the others. */
export const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
