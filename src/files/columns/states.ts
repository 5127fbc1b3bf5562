import { compactHeader } from '#shared/records/csv/header'
import { isAmbiguousHeader, isStatusHeader } from '#shared/records/csv/state-headers'
import type { RecordType } from '#shared/records/record-type'
import { valueKey } from './column-values'
import { isAboutStatus } from './header-meaning'
import { booleanOf } from './yes-no'

/** Words for active and for inactive, in lower case, in addition to the words for yes and no. */
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

/** Words that negate the following words. */
const NOT = /^(?:non|not|no|nicht|não|nao|niet|nie|не)[\s-]+(.+)$/u

/** The first words of a value, longest first: `retiré du marché`, `retiré du`, `retiré`. */
function* beginningsOf(key: string): Generator<string> {
  const words = key.split(/[\s/,;-]+/)
  for (let count = words.length; count > 0; count--) yield words.slice(0, count).join(' ')
}

/** The meaning of a value whose first words are known; undefined for any other. */
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

/** Whether a column probably tells which rows are active. @param values a sample of its values */
export function saysState(header: string, values: readonly string[], type: RecordType): boolean {
  if (values.length === 0) return false
  const compact = compactHeader(header)
  if (isStatusHeader(compact) && !isAmbiguousHeader(compact)) return true
  const mayBe = isStatusHeader(compact) || isAboutStatus(header, type)
  return mayBe && values.some((value) => knownState(value) !== undefined)
}

/** Whether the header of a column, or one of its values, is about a state. */
export const isAboutState = (header: string, values: readonly string[]): boolean =>
  isStatusHeader(compactHeader(header)) || values.some((value) => knownState(value) !== undefined)
