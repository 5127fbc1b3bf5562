import { encodeText } from '#files/text/encode'

/** HTML entities of symbols and letters that occur in names. Other entities are kept. */
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: '’', nbsp: ' ', ndash: '–', mdash: '—', rsquo: '’', lsquo: '‘' },
  ...{ reg: '®', trade: '™', copy: '©', deg: '°', micro: 'µ', middot: '·', plusmn: '±', frac12: '½', times: '×' },
  ...{ agrave: 'à', aacute: 'á', acirc: 'â', atilde: 'ã', auml: 'ä', ccedil: 'ç', egrave: 'è', eacute: 'é' },
  ...{ ecirc: 'ê', euml: 'ë', iacute: 'í', icirc: 'î', iuml: 'ï', ntilde: 'ñ', oacute: 'ó', ocirc: 'ô', otilde: 'õ' },
  ...{ ouml: 'ö', ugrave: 'ù', uacute: 'ú', ucirc: 'û', uuml: 'ü', szlig: 'ß', alpha: 'α', beta: 'β', gamma: 'γ' },
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z][a-z\d]{1,30}));/gi, (all, decimal, hex, name) => {
    if (name !== undefined) return ENTITIES[name] ?? ENTITIES[String(name).toLowerCase()] ?? all
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x10ffff ? all : String.fromCodePoint(code)
  })
}

/** Runs of characters that Windows-1252 encodes as bytes from 0x80 on. */
const HIGH = /[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/gu

/** Decodes UTF-8 that was read as Windows-1252; unchanged if it was not. */
function decodedAgain(high: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(encodeText(high, 'windows-1252'))
  } catch {
    // These letters were typed.
    return high
  }
}

/** The probable original of a broken text (see `isBrokenText`); unchanged if there is none. */
export const repairedText = (text: string): string =>
  withoutEntities(text)
    .replace(HIGH, decodedAgain)
    .replace(/(?<=\p{Ll})Â(?=\s|$)/gu, '')
    .replaceAll('\u00a0', ' ')
    .trim()
