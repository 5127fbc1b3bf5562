/** The names in a table that stands in the code, with their type. */
export const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[]
