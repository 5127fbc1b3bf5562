/** Types of the parts of the scripts that tests in workerd use. */

declare module '*.md?raw' {
  const text: string
  export default text
}

declare module '*.py?raw' {
  const text: string
  export default text
}

declare module '*/support/temporary-files.mjs' {
  export function keepTemporaryFilesInMemory(): void
}

declare module '*/support/markdown-examples.mjs' {
  export function markdownExamples(): import('vite').Plugin
}
