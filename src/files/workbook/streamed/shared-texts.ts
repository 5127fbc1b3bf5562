import type { TakeText } from '../zip'
import { RunsText, xmlTaker } from './xml'

/** Reads the shared strings of a workbook (ECMA-376, part 1, 18.4.9). @param texts where they are added */
export function sharedTextsTaker(texts: string[]): TakeText {
  const runs = new RunsText()
  return xmlTaker({
    begin: (name) => runs.begin(name),
    end(name, text) {
      runs.end(name, text)
      if (name === 'si') texts.push(runs.take())
    },
  })
}
