import { expect, it } from 'vitest'
import { authorText } from '#console/wording'

it('who wrote something is a person by the address, and a program by its name if that is known', () => {
  const programs = new Map([['dcs_client_a', 'Nightly sync']])
  expect(authorText('user:asha@clinic.example', programs)).toBe('asha@clinic.example')
  expect(authorText('dcs_client_a', programs)).toBe('Nightly sync')
  expect(authorText('dcs_client_b', programs)).toBe('Program dcs_client_b')
  expect(authorText('operator')).toBe('The operator')
})
