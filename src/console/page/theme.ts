import {
  Anchor,
  type CSSVariablesResolver,
  createTheme,
  Loader,
  type MantineColorsTuple,
  Menu,
  Modal,
} from '@mantine/core'

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

export const theme = createTheme({
  colors: { teal },
  primaryColor: 'teal',
  primaryShade: 8,
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  // Nothing moves for people who have set their system to reduced motion (WCAG 2.2, 2.3.3).
  respectReducedMotion: true,
  components: {
    // A link in a sentence is told by more than its colour (WCAG 2.2, 1.4.1).
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    // A label needs a role (WAI-ARIA 1.2, naming of generic elements).
    Loader: Loader.extend({ defaultProps: { role: 'img' } }),
    // An element that takes the focus but is no item may not stand in a menu (WAI-ARIA 1.2, menu).
    Menu: Menu.extend({ defaultProps: { withInitialFocusPlaceholder: false } }),
    Modal: Modal.extend({ defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } }),
  },
  headings: { fontWeight: '650' },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
})

/** The library's muted text is too faint for WCAG 2.2, 1.4.3 (a contrast of 4.5). */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5c636a',
    '--mantine-color-placeholder': '#6a7178',
    '--mantine-color-error': '#c92a2a',
  },
  dark: {
    '--mantine-color-dimmed': '#a9b0b7',
    '--mantine-color-placeholder': '#99a1a9',
    '--mantine-color-error': '#ff8787',
  },
})
