import type { Visit } from './visit'

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

/** The records in the table of a desk. */
export const rowsIn = ({ page }: Visit) =>
  page
    .getByRole('table', { name: 'Medications' })
    .getByRole('row')
    .filter({ has: page.getByRole('link') })

/** The names on the cards of a phone. */
export const namesOnCards = ({ page }: Visit) =>
  page.getByRole('list', { name: 'Medications' }).getByRole('listitem').getByRole('link').allInnerTexts()

/** A phone shows the filters only when it is asked to. */
export async function showFilters(visit: Visit): Promise<void> {
  const opener = visit.page.getByRole('button', { name: /^Filters/, expanded: false })
  if (await opener.isVisible()) await opener.click()
}
