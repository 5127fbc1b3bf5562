/** The names of programs, by their client ids. */
type ProgramNames = ReadonlyMap<string, string>

/**
 * Who wrote something: the address of a person, or which program.
 *
 * @param createdBy as the service says it: `user:` and an address, `partner:` and a key id, `operator`, else the id
 * of a
 *   client
 * @param programs that are known
 */
export function authorText(createdBy: string, programs?: ProgramNames): string {
  if (createdBy === 'operator') return 'The operator'
  const [, kind, name] = /^(user|partner):(.+)$/s.exec(createdBy) ?? []
  if (kind === 'user') return name!
  return kind === 'partner' ? `Partner ${name}` : (programs?.get(createdBy) ?? `Program ${createdBy}`)
}
