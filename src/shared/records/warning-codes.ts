/** Codes of warnings with their meanings (docs/contract.md#warnings). */
export const WARNING_CODES = {
  broken_text: 'text in a wrong encoding, or with HTML entities',
  check_digit: 'codes whose check digit is wrong',
  cut_off: 'the file may be truncated',
  emptied: 'a field is cleared in `count` records',
  formula_text: 'cells of the form `="1001"` were read as their text',
  ignored_state: 'a column or field that says what is in use, under a name that is not read',
  mixed_scripts: 'words with letters of another script that look alike',
  newer_write: 'a client has written the catalog since the upload',
  not_compared: 'too many records for the look at identical items (`same_item`), which therefore is not complete',
  null_marker: 'values that stand for nothing in other programs',
  reactivated: 'inactive records that an upsert makes active although it does not say so',
  renamed: 'IDs whose new name shares no word with the stored one',
  same_item: 'active records that are identical in every field except the ID, `sku`, `refid` and `aliases`',
  similar_id: 'new IDs that resemble another ID',
  spreadsheet_damage: 'values that a spreadsheet program has damaged',
  strength_conflict: 'strengths that contradict the name',
  unsplit_list: 'items of lists that look like several',
} as const

export type WarningCode = keyof typeof WARNING_CODES
