import { createElement, Fragment, type Key, type ReactElement, type ReactNode } from 'react'
import { jsx as reactJsx, jsxs as reactJsxs } from 'react/jsx-runtime'

export type { JSX } from 'react'
export { Fragment }

/**
 * What the JSX of the console is compiled to: React's own functions, but a text beside other content gets an element of
 * its own. A browser that translates the page replaces such a text by an element. React would go on writing into the
 * text that is no longer in the page, so that counts stay as they were, or fail to insert something before it. The
 * whole text of an element React writes anew (facebook/react#11538).
 */
export const jsxs = (type: React.ElementType, props: { children: readonly ReactNode[] }, key?: Key): ReactElement =>
  props.children.every((child) => isText(child) || isEmpty(child))
    ? jsx(type, { ...props, children: props.children.filter(isText).join('') }, key)
    : reactJsxs(type, { ...props, children: textsApart(props.children) }, key)

export const jsx = (type: React.ElementType, props: { children?: ReactNode }, key?: Key): ReactElement =>
  reactJsx(type, type === Fragment && isText(props.children) ? { children: spanOf(props.children) } : props, key)

const isText = (node: ReactNode): node is string | number => typeof node === 'string' || typeof node === 'number'

const isEmpty = (node: ReactNode): boolean => node === null || node === undefined || typeof node === 'boolean'

/** White space alone is not translated. */
const spanOf = (text: string | number): ReactNode =>
  String(text).trim() === '' ? text : createElement('span', null, text)

/** Texts that follow each other become one. The others keep their places, by which React knows them again. */
function textsApart(children: readonly ReactNode[]): ReactNode {
  return children.map((child, at) => {
    if (!isText(child)) return child
    if (isText(children[at - 1])) return null
    const end = children.findIndex((next, place) => place > at && !isText(next))
    return spanOf(children.slice(at, end === -1 ? undefined : end).join(''))
  })
}
