/** Headers for the state of a record that are not read as `is_active`, as `compactHeader` spells them. */

/** Headers of states such as `withdrawn`. */
const STATUS_HEADERS: ReadonlySet<string> = new Set(
  `status state registrationstatus regstatus productstatus drugstatus itemstatus recordstatus licencestatus
  licensestatus marketingstatus authorisationstatus authorizationstatus lifecycle conceptstatus approvalstatus
  availability statut etat zulassungsstatus estado estadoregistro situacao situacaoregistro stato toestand stan durum
  статус الحالة 状态`.split(/\s+/),
)

/** This header may also mean a part of a country. */
const AMBIGUOUS_HEADERS: readonly string[] = ['state', 'estado', 'stato', 'stan', 'availability', 'lifecycle']

/** Headers of yes/no columns with the meaning of `is_active`, and with the opposite meaning. */
export const OTHER_HEADERS = 'isactive actif activo ativo aktiv attivo enabled inuse isenabled'
export const OPPOSITE_HEADERS = `
  void voided voidretire retired isretired isvoided isvoid obsolete isobsolete deleted isdeleted discontinued
  isdiscontinued withdrawn iswithdrawn inactive isinactive disabled isdisabled archived isarchived suspended
  isretire retire delisted supprime inactivo inativo inaktiv archiviert geloscht`

const USE_HEADERS: ReadonlySet<string> = new Set(`${OTHER_HEADERS} ${OPPOSITE_HEADERS}`.split(/\s+/))

export const isStatusHeader = (compact: string): boolean => STATUS_HEADERS.has(compact)

/** Whether a header of a state may also mean something else. */
export const isAmbiguousHeader = (compact: string): boolean => AMBIGUOUS_HEADERS.includes(compact)

/** Whether a header means the state of a record, whatever its values are. */
export const saysUse = (compact: string): boolean =>
  (isStatusHeader(compact) && !isAmbiguousHeader(compact)) || USE_HEADERS.has(compact)
