import { CFB } from '@e965/xlsx'

/** Files as written by programs other than the library, with their XML written by hand. */

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

/** A ZIP archive. @param files texts by their paths */
export function zipOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const archive = CFB.utils.cfb_new()
  for (const [path, text] of Object.entries(files)) {
    CFB.utils.cfb_add(archive, `/${path}`, new TextEncoder().encode(text))
  }
  return Uint8Array.from(CFB.write(archive, { fileType: 'zip', type: 'array' }) as number[])
}

/** A cell with a text as Google Sheets and libraries write it. */
export const textCell = (address: string, text: string): string =>
  `<c r="${address}" t="inlineStr"><is><t>${text}</t></is></c>`

/**
 * An .xlsx file of one sheet, as libraries write it: formulas without their results.
 *
 * @param rows the cells of each row, as XML
 * @param more XML before and after the rows
 */
export const xlsxOf = (rows: readonly string[], more: { before?: string; behind?: string } = {}) =>
  zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
    '_rels/.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${XML}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="Stock" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${XML}<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${SHEET}">${more.before ?? ''}<sheetData>${rows
      .map((cells, row) => `<row r="${row + 1}">${cells}</row>`)
      .join('')}</sheetData>${more.behind ?? ''}</worksheet>`,
  })
