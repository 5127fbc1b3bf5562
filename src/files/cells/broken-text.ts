import { encodeText } from '#files/text/encode'

/** HTML entities of signs and letters that stand in names, by their names. Others stay as they are. */
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

/** Characters that Windows-1252 has for bytes from 0x80 on, one after another. */
const HIGH = /[\u0080-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/gu

/** UTF-8 read as such again; unchanged if it was none. */
function decodedAgain(high: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(encodeText(high, 'windows-1252'))
  } catch {
    // Letters that somebody has typed.
    return high
  }
}

/** How a broken text was probably meant (see `isBrokenText`); unchanged if nothing says it. */
export const repairedText = (text: string): string =>
  withoutEntities(text)
    .replace(HIGH, decodedAgain)
    .replace(/(?<=\p{Ll})Â(?=\s|$)/gu, '')
    .replaceAll('\u00a0', ' ')
    .trim()
