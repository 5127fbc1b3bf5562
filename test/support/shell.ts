/**
 * The small part of a shell that the examples of the documents need: assignments, quotes, `$NAME`, `$(...)`,
 * pipelines, and the commands `curl`, `sed`, `head`, `cat` and `echo`. Anything else is an error, so that every
 * example is really run.
 */

export interface ShellHost {
  /** Answers what curl requests. */
  fetch(url: string, init: RequestInit): Promise<Response>
  /** Text of a file that an example names. */
  readFile(path: string): string
  /** Variables, which assignments change. */
  variables: Map<string, string>
}

/** A word of a command, as parts that are not expanded yet. */
type Part = { text: string } | { variable: string } | { script: string }
type Word = readonly Part[]

interface Statement {
  /** Commands whose output goes into the next one. */
  pipeline: Word[][]
}

const DOUBLE_QUOTED_ESCAPES = '"\\$`\n'

class Parser {
  readonly #source: string
  #at = 0

  constructor(source: string) {
    this.#source = source
  }

  get #next(): string {
    return this.#source[this.#at] ?? ''
  }

  statements(): Statement[] {
    const statements: Statement[] = []
    let words: Word[] = []
    let pipeline: Word[][] = []
    const endCommand = () => {
      if (words.length > 0) pipeline.push(words)
      words = []
    }
    const endStatement = () => {
      endCommand()
      if (pipeline.length > 0) statements.push({ pipeline })
      pipeline = []
    }
    while (this.#at < this.#source.length) {
      if (this.#skip(/[ \t]+|\\\n/y)) continue
      if (this.#skip(/#[^\n]*/y)) continue
      if (this.#skip(/\n|;|&&/y)) endStatement()
      else if (this.#skip(/\|\s*/y)) endCommand()
      else words.push(this.#word())
    }
    endStatement()
    return statements
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#source)
    if (found === null) return false
    this.#at += found[0].length
    return true
  }

  #word(): Word {
    const parts: Part[] = []
    while (this.#next !== '' && !/[\s;|]/.test(this.#next)) {
      if (this.#next === "'") parts.push({ text: this.#until("'") })
      else if (this.#next === '"') parts.push(...this.#doubleQuoted())
      else if (this.#next === '$') parts.push(this.#dollar())
      else if (this.#next === '\\') {
        parts.push({ text: this.#source[this.#at + 1] ?? '' })
        this.#at += 2
      } else if (/[`<>&*?()]/.test(this.#next)) throw new Error(`examples must not use ${this.#next}`)
      else parts.push({ text: this.#source[this.#at++]! })
    }
    return parts
  }

  /** Text up to a closing quote. */
  #until(quote: string): string {
    const end = this.#source.indexOf(quote, this.#at + 1)
    if (end < 0) throw new Error(`a quote ${quote} never closes`)
    const text = this.#source.slice(this.#at + 1, end)
    this.#at = end + 1
    return text
  }

  #doubleQuoted(): Part[] {
    const parts: Part[] = []
    for (this.#at++; this.#next !== '"'; ) {
      if (this.#next === '') throw new Error('a quote " never closes')
      const escaped = this.#source[this.#at + 1] ?? ''
      if (this.#next === '$') parts.push(this.#dollar())
      else if (this.#next === '\\' && DOUBLE_QUOTED_ESCAPES.includes(escaped)) {
        parts.push({ text: escaped === '\n' ? '' : escaped })
        this.#at += 2
      } else parts.push({ text: this.#source[this.#at++]! })
    }
    this.#at++
    return parts
  }

  /** `$NAME` or `$(...)`; inside the brackets, other brackets may stand in quotes only. */
  #dollar(): Part {
    const variable = /\$(?:(\w+)|\{(\w+)\})/y
    variable.lastIndex = this.#at
    const named = variable.exec(this.#source)
    if (named !== null) {
      this.#at += named[0].length
      return { variable: (named[1] ?? named[2])! }
    }
    const script = /\$\(((?:'[^']*'|"(?:\\.|[^"\\])*"|[^()'"])*)\)/y
    script.lastIndex = this.#at
    const nested = script.exec(this.#source)
    if (nested === null) throw new Error(`cannot read ${this.#source.slice(this.#at, this.#at + 20)}`)
    this.#at += nested[0].length
    return { script: nested[1]! }
  }
}

type Command = (args: readonly string[], input: string, host: ShellHost) => Promise<string> | string

/** Options of curl that take a value. */
const CURL_VALUES = new Set(['-H', '-d', '-X', '-F', '--data-binary'])

function curlOptions(args: readonly string[]) {
  const options: [string, string][] = []
  const urls: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]!
    if (CURL_VALUES.has(arg)) options.push([arg, args[++i] ?? ''])
    else if (arg === '-s') continue
    else if (arg.startsWith('-')) throw new Error(`examples must not use curl ${arg}`)
    else urls.push(arg)
  }
  if (urls.length !== 1) throw new Error('curl takes one address')
  return { url: urls[0]!, options }
}

const curl: Command = async (args, input, host) => {
  const { url, options } = curlOptions(args)
  const read = (value: string) => (value === '@-' ? input : host.readFile(value.slice(1)))
  const headers = new Headers()
  const form = new FormData()
  let body: BodyInit | undefined
  let method: string | undefined
  for (const [option, value] of options) {
    if (option === '-H') headers.append(...(value.split(/: */, 2) as [string, string]))
    else if (option === '-X') method = value
    else if (option === '-F') {
      const [name = '', file = ''] = value.split('=@', 2)
      form.append(name, new File([host.readFile(file)], file.split('/').at(-1)!))
      body = form
    } else body = value.startsWith('@') ? read(value) : value
  }
  // The default of curl. An example with a JSON body and without its content type does not work.
  if (typeof body === 'string' && !headers.has('Content-Type'))
    headers.set('Content-Type', 'application/x-www-form-urlencoded')
  const response = await host.fetch(url, {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    headers,
    ...(body === undefined ? {} : { body }),
  })
  return response.text()
}

/** `sed -E 's/a/b/g' [file]`, also without `-E` if the pattern means the same in both. */
const sed: Command = (args, input, host) => {
  const [script = '', file] = args.filter((arg) => arg !== '-E')
  const [, pattern, replacement, flags] = /^s\/((?:\\.|[^/])*)\/((?:\\.|[^/])*)\/(g?)$/.exec(script) ?? []
  if (pattern === undefined || replacement === undefined) throw new Error(`cannot read sed ${script}`)
  const text = file === undefined ? input : host.readFile(file)
  const search = new RegExp(pattern, flags)
  const by = replacement.replaceAll(/\\(\d)/g, '$$$1')
  return text
    .split('\n')
    .map((line) => line.replace(search, by))
    .join('\n')
}

const head: Command = (args, input) => {
  const [option, count] = args
  if (option === '-c') return input.slice(0, Number(count))
  return input
    .split('\n')
    .slice(0, Number(option === '-n' ? count : option?.slice(1)))
    .join('\n')
}

const COMMANDS: Readonly<Record<string, Command>> = {
  curl,
  sed,
  head,
  cat: (args, _input, host) => args.map((file) => host.readFile(file)).join(''),
  echo: (args) => `${args.join(' ')}\n`,
}

async function expand(word: Word, host: ShellHost): Promise<string> {
  let text = ''
  for (const part of word) {
    if ('text' in part) text += part.text
    else if ('script' in part) text += (await runShell(part.script, host)).replace(/\n+$/, '')
    else {
      const value = host.variables.get(part.variable)
      if (value === undefined) throw new Error(`the example uses $${part.variable}, which nothing has set`)
      text += value
    }
  }
  return text
}

async function runCommand(words: readonly Word[], input: string, host: ShellHost): Promise<string> {
  const [name = '', ...args] = await Promise.all(words.map((word) => expand(word, host)))
  const assignment = /^(\w+)=(.*)$/s.exec(name)
  if (assignment !== null && args.length === 0) {
    host.variables.set(assignment[1]!, assignment[2]!)
    return ''
  }
  const command = COMMANDS[name]
  if (command === undefined) throw new Error(`examples must not use ${name}`)
  return command(args, input, host)
}

/** Runs a script. @returns the output of its last statement */
export async function runShell(script: string, host: ShellHost): Promise<string> {
  let output = ''
  for (const { pipeline } of new Parser(script).statements()) {
    output = ''
    for (const command of pipeline) output = await runCommand(command, output, host)
  }
  return output
}
