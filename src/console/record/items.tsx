import { Fragment } from 'react'

/** The items of a list, each in its own frame, so that one item does not look like two. */
export const Items = ({ items }: { items: readonly string[] }) =>
  items.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: an item may occur twice.
    <Fragment key={index}>
      <span className="item" translate="no">
        {item}
      </span>{' '}
    </Fragment>
  ))
