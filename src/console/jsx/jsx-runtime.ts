import { createElement, Fragment, type Key, type ReactElement, type ReactNode } from 'react'
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'

export type { JSX } from 'react'
export { Fragment }

/**
 * Compiles the console's JSX: React's own functions, but text next to other content gets its own element. Browser
 * translation replaces such text nodes by elements. React would then update text nodes that are no longer in the page,
 * so counts would not change, or fail to insert nodes before them (facebook/react#11538). Text that is the only content
 * of an element is not affected, because React rewrites it completely.
 */
export const jsxs = (type: React.ElementType, props: { children: readonly ReactNode[] }, key?: Key): ReactElement =>
  props.children.every((child) => isText(child) || isEmpty(child))
    ? jsx(type, { ...props, children: props.children.filter(isText).join('') }, key)
    : reactJsxs(type, { ...props, children: textsApart(props.children) }, key)

export const jsx = (type: React.ElementType, props: { children?: ReactNode }, key?: Key): ReactElement =>
  reactJsx(type, type === Fragment && isText(props.children) ? { children: spanOf(props.children) } : props, key)

const isText = (node: ReactNode): node is string | number => typeof node === 'string' || typeof node === 'number'

const isEmpty = (node: ReactNode): boolean => node === null || node === undefined || typeof node === 'boolean'

/** Whitespace alone is not translated. */
const spanOf = (text: string | number): ReactNode =>
  String(text).trim() === '' ? text : createElement('span', null, text)

/** Joins adjacent texts. The other children keep their positions, by which React identifies them. */
function textsApart(children: readonly ReactNode[]): ReactNode {
  return children.map((child, at) => {
    if (!isText(child)) return child
    if (isText(children[at - 1])) return null
    const end = children.findIndex((next, place) => place > at && !isText(next))
    return spanOf(children.slice(at, end === -1 ? undefined : end).join(''))
  })
}
