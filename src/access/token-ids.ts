/** The object that decides which use of a partner token is the first; there is one per credential. */
export interface TokenIdClaims extends Rpc.DurableObjectBranded {
  /**
   * Claims the id of a token.
   *
   * @param id a digest of the `jti`
   * @param expiresAt when the id may be forgotten, in milliseconds since the epoch
   * @param now the time that the caller judges the token by, in milliseconds since the epoch
   * @returns whether this is the first claim of it within its time
   */
  claim(id: string, expiresAt: number, now: number): Promise<boolean>
}
