import {
  Anchor,
  Badge,
  Button,
  Code,
  type CSSVariablesResolver,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
  TextInput,
} from '@mantine/core'
import { BusyButton } from './widgets/busy-button'

const teal: MantineColorsTuple = [
  '#e6f7f8',
  '#d3ebee',
  '#a8d5db',
  '#79bfc8',
  '#53adb8',
  '#3aa1ae',
  '#2a9ba9',
  '#178795',
  '#0b7285',
  '#00525e',
]

/** Dark enough for text on white, and on its own light shade. */
const green: MantineColorsTuple = [
  '#eaf7ec',
  '#d6efd9',
  '#b0dfb6',
  '#8fd097',
  '#69c176',
  '#4db35c',
  '#3aa24a',
  '#2e8b3d',
  '#237a35',
  '#17592a',
]

export const theme = createTheme({
  colors: { teal, green },
  primaryColor: 'teal',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  // No animations if the system is set to reduced motion (WCAG 2.2, 2.3.3).
  respectReducedMotion: true,
  components: {
    // Never truncated. The library's own text color is too faint on its light shade.
    Badge: Badge.extend({
      defaultProps: { variant: 'light', tt: 'none', c: 'var(--mantine-color-text)', flex: 'none', miw: 'max-content' },
    }),
    Button: Button.extend({ defaultProps: { component: BusyButton } }),
    // IDs, secrets and the like, which browsers must not translate.
    Code: Code.extend({ defaultProps: { translate: 'no' } }),
    // A link in a sentence differs from its surroundings by more than color (WCAG 2.2, 1.4.1).
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // An element with a label needs a role (WAI-ARIA 1.2, naming of generic elements).
    Loader: Loader.extend({ defaultProps: { role: 'img' } }),
    // A menu must not contain a focusable element that is not an item (WAI-ARIA 1.2, menu).
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    // Values that browsers remember from other pages are not values of a catalog.
    TextInput: TextInput.extend({ defaultProps: { autoComplete: 'off' } }),
    Modal: Modal.extend({ defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  headings: { fontWeight: '650' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
})

/** The library's muted text is too faint for WCAG 2.2, 1.4.3 (a contrast of 4.5). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--page-background': '#f4f6f7',
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--page-background': 'var(--mantine-color-dark-8)',
    '--mantine-color-gray-light': 'var(--mantine-color-dark-5)',
    '--mantine-color-teal-light': '#173a40',
    '--mantine-color-green-light': '#1c3b26',
    '--mantine-color-blue-light': '#1b3550',
    '--mantine-color-yellow-light': '#3b3319',
    '--mantine-color-orange-light': '#432d1b',
    '--mantine-color-red-light': '#472427',
    '--mantine-color-dimmed': '#a9b0b7',
    '--mantine-color-placeholder': '#99a1a9',
    '--mantine-color-error': '#ff8787',
  },
})
