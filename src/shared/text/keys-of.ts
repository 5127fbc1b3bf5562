/**
 * The names in a table that stands in the code, with their type. TypeScript gives plain texts, because an object may
 * have more members than its type says.
 */
export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]
