import { DESKTOP, PHONE, type Visit } from './visit'

/** Active records of the catalog below. */
export const ACTIVE = 60

/** Sixty active medications and one that is not. */
export const listedMedications = () => [
  ...Array.from({ length: ACTIVE - 1 }, (_, place) => ({
    medication_id: `M${place}`,
    name: `Tablet ${place}`,
    strength: `${place + 1} mg`,
    ...(place === 1 || place === 2 ? { form_name: ['Tablet', 'TABS'][place - 1] } : {}),
  })),
  {
    medication_id: 'C1',
    name: 'Crème Éxtra',
    aliases: ['Błękit'],
    manufacturer: 'Lab Ø',
    sku: 'SKU-77',
  },
  { medication_id: 'OLD', name: 'Withdrawn', is_active: false },
]

/** The roles of a list and of its entries: a table, or cards on a phone. */
export const LISTS = [
  ['at a desk', DESKTOP, ['table', 'row']],
  ['on a phone', PHONE, ['list', 'listitem']],
] as const

type Roles = (typeof LISTS)[number][2]

/** The records that are listed. */
export const entriesOf = (visit: Visit, [listRole, entryRole]: Roles) =>
  visit.page
    .getByRole(listRole, { name: 'Medications' })
    .getByRole(entryRole)
    .filter({ has: visit.page.getByRole('link') })

/** The names of the records that are listed. */
export const namesIn = (visit: Visit, roles: Roles) =>
  entriesOf(visit, roles).getByRole('link').allInnerTexts()

/** A phone shows the filters only when it is asked to. */
export async function showFilters(visit: Visit): Promise<void> {
  const opener = visit.page.getByRole('button', { name: /^Filters/, expanded: false })
  if (await opener.isVisible()) await opener.click()
}
