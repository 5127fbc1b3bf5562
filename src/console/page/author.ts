/**
 * Who wrote something: the address of a person, or which program.
 *
 * @param createdBy as the service says it: `user:` and an address, `partner:` and a key id, `operator`, else the id of a
 *   client
 */
export function authorText(createdBy: string): string {
  if (createdBy === 'operator') return 'The operator'
  const [, kind, name] = /^(user|partner):(.+)$/s.exec(createdBy) ?? []
  if (kind === 'user') return name!
  return kind === 'partner' ? `Partner ${name}` : `Program ${createdBy}`
}
