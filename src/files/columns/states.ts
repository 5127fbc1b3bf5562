import { compactHeader } from '#shared/records/csv/header'
import { isAmbiguousHeader, isStatusHeader } from '#shared/records/csv/state-headers'
import type { RecordType } from '#shared/records/record-type'
import { valueKey } from './column-values'
import { isAboutStatus } from './header-meaning'
import { booleanOf } from './yes-no'

/** Words for what is in use, and for what is not, in lower case. Words for yes and no are known besides. */
const IN_USE: ReadonlySet<string> = new Set([
  ...['active', 'registered', 'approved', 'authorised', 'authorized', 'valid', 'current', 'marketed', 'available'],
  ...['in use', 'enabled', 'live', 'licensed', 'licenced', 'renewed', 'prescription', 'open', 'published'],
  ...['actif', 'active', 'autorisé', 'autorisée', 'commercialisé', 'commercialisée', 'autorisation active'],
  ...['aktiv', 'zugelassen', 'gültig', 'activo', 'activa', 'vigente', 'autorizado', 'autorizada', 'registrado'],
  ...['ativo', 'ativa', 'válido', 'attivo', 'attiva', 'autorizzato', 'autorizzata', 'actief', 'geregistreerd'],
  ...['aktywny', 'ważne', 'etkin', 'aktif', 'ruhsatlı', 'активный', 'действует', 'действующий', 'فعال', '有效'],
])
const NOT_IN_USE: ReadonlySet<string> = new Set([
  ...['inactive', 'discontinued', 'suspended', 'revoked', 'cancelled', 'canceled', 'withdrawn', 'expired', 'retired'],
  ...['obsolete', 'deleted', 'deprecated', 'delisted', 'rejected', 'refused', 'terminated', 'lapsed', 'banned'],
  ...['not in use', 'not authorised', 'not authorized', 'disabled', 'closed', 'archived', 'void', 'voided', 'invalid'],
  ...['cancelled post market', 'cancelled pre market', 'inactif', 'inactive', 'retiré', 'retirée', 'suspendu'],
  ...['suspendue', 'abrogé', 'abrogée', 'archivé', 'archivée', 'inaktiv', 'erloschen', 'ruht', 'widerrufen'],
  ...['inactivo', 'inactiva', 'retirado', 'suspendido', 'revocado', 'cancelado', 'caducado', 'inativo', 'inativa'],
  ...['suspenso', 'vencido', 'inattivo', 'inattiva', 'sospeso', 'revocato', 'ritirato', 'inactief', 'ingetrokken'],
  ...['nieaktywny', 'wycofany', 'pasif', 'iptal', 'неактивный', 'отменен', 'истек', 'ملغى', '无效', '注销'],
])

/** Words that turn what is behind them into its opposite. */
const NOT = /^(?:non|not|no|nicht|não|nao|niet|nie|не)[\s-]+(.+)$/u

/** The words at the beginning of a value, fewer and fewer: `retiré du marché`, `retiré du`, `retiré`. */
function* beginningsOf(key: string): Generator<string> {
  const words = key.split(/[\s/,;-]+/)
  for (let count = words.length; count > 0; count--) yield words.slice(0, count).join(' ')
}

/** What a value means if its first words are known; undefined for any other. */
export function knownState(value: string): 'yes' | 'no' | undefined {
  const key = valueKey(value)
  if (IN_USE.has(key)) return 'yes'
  if (NOT_IN_USE.has(key)) return 'no'
  const isYes = booleanOf(value)
  if (isYes !== undefined) return isYes ? 'yes' : 'no'
  const opposite = NOT.exec(key)?.[1]
  for (const words of beginningsOf(opposite ?? key)) {
    if (opposite === undefined && NOT_IN_USE.has(words)) return 'no'
    if (IN_USE.has(words)) return opposite === undefined ? 'yes' : 'no'
  }
  return undefined
}

/** Whether a column probably says whether its rows are in use. @param values some of it */
export function saysState(header: string, values: readonly string[], type: RecordType): boolean {
  if (values.length === 0) return false
  const compact = compactHeader(header)
  if (isStatusHeader(compact) && !isAmbiguousHeader(compact)) return true
  const mayBe = isStatusHeader(compact) || isAboutStatus(header, type)
  return mayBe && values.some((value) => knownState(value) !== undefined)
}

/** Whether the header of a column, or one of its values, says that it is about a state. */
export const isAboutState = (header: string, values: readonly string[]): boolean =>
  isStatusHeader(compactHeader(header)) || values.some((value) => knownState(value) !== undefined)
