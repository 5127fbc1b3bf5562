import { createInterface } from 'node:readline'
import type { FileSummary } from '#files/file-summary'
import { savedAnswers } from '#files/saved-answers'
import type { RecordTypeName } from '#shared/records/record-type'
import { type Answer, type Answers, readAnswers, withAnswer, writeAnswers } from './answers'
import { CliError, EXIT, usageError } from './exits'
import type { Output } from './output'
import type { Question } from './questions'
import { untilStopped } from './shell'

/** The answers of one command: those in its file, and those given at the terminal. */
export class AnswerFile {
  readonly #output: Output
  readonly #file: string | undefined
  /** Whether a user can be asked. */
  readonly #canAsk: boolean
  #answers: Answers
  #isChanged = false
  #lines: AsyncIterator<string> | undefined

  private constructor(output: Output, file: string | undefined, canAsk: boolean, answers: Answers) {
    this.#output = output
    this.#file = file
    this.#canAsk = canAsk
    this.#answers = answers
  }

  /** @param argument names the input file: questions about standard input cannot be answered at the terminal */
  static async open(output: Output, type: RecordTypeName, argument: string, file: string | undefined) {
    const canAsk = file !== undefined && argument !== '-' && output.shell.stdin.isTTY === true
    return new AnswerFile(output, file, canAsk, await readAnswers(file, type))
  }

  get answers(): Answers {
    return this.#answers
  }

  get canAsk(): boolean {
    return this.#canAsk
  }

  /** Asks the user a question. @throws CliError 3 if no one can be asked */
  async answer(question: Question): Promise<void> {
    if (!this.#canAsk || question.choices.length === 0) throw this.#unanswered(question)
    this.#answers = withAnswer(this.#answers, await this.#ask(question))
    this.#isChanged = true
  }

  /** Stores the user's answers. @param file was read with all answers, so its columns are right */
  async save(file: FileSummary): Promise<void> {
    if (!this.#isChanged || this.#file === undefined) return
    await writeAnswers(this.#file, { ...this.#answers.stored, file: savedAnswers({ ...file, hasRightColumns: true }) })
    this.#output.note(`The answers are in ${this.#file}.`)
    this.#isChanged = false
  }

  async #ask({ text, details, choices, readText }: Question): Promise<Answer> {
    const list = choices.map(({ name }, at) => `  ${at + 1}  ${name}`)
    this.#output.say([text, ...(details === '' ? [] : [details]), ...list].join('\n'))
    for (;;) {
      const line = await this.#line()
      const chosen = choices.find(({ name }, at) => line === String(at + 1) || line === name)
      if (chosen !== undefined) return chosen.answer
      try {
        if (readText !== undefined && line !== '') return readText(line)
      } catch (error) {
        if (!(error instanceof CliError)) throw error
        this.#output.say(error.message)
      }
      this.#output.say(`Answer with a number from 1 to ${choices.length}${readText ? ', or with another text' : ''}.`)
    }
  }

  /** The next line that the user types. */
  async #line(): Promise<string> {
    const { stdin, signal } = this.#output.shell
    this.#lines ??= createInterface({ input: stdin, terminal: false })[Symbol.asyncIterator]()
    const { done, value } = await untilStopped(this.#lines.next(), signal)
    if (done) throw usageError('The question was not answered. Nothing was written.')
    return value.trim()
  }

  /** The error if no one can be asked, or if only a corrected file helps. Its first line is reported to the service. */
  #unanswered({ text, details, choices }: Question): CliError {
    const file = this.#file ?? '<file>'
    const how = `To answer once for all such files, run the command at a terminal with --answers ${file}.`
    const isEmpty = this.#file !== undefined && this.#answers.stored.file === null
    const lines = [
      text,
      ...(details === '' ? [] : [details]),
      ...choices.map(({ name }) => `  ${name}`),
      ...(choices.length === 0 ? [] : [isEmpty ? `${file} holds no answers yet. ${how}` : how]),
    ]
    return new CliError(EXIT.invalid, lines.join('\n'))
  }
}
