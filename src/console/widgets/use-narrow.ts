import { useMediaQuery } from '@mantine/hooks'

/** Whether the window is too narrow for a table, as on a phone. */
export const useNarrow = (): boolean =>
  useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
