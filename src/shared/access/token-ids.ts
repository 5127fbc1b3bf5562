/** Decides which use of a partner token is the first. There is one object per credential. */
export interface TokenIdClaims extends Rpc.DurableObjectBranded {
  /**
   * Claims the id of a token.
   *
   * @param id a digest of the `jti`
   * @param expiresAt when the id may be forgotten, in milliseconds since the epoch
   * @param now the time against which the caller checked the token, in milliseconds since the epoch
   * @returns whether this is the first claim of the id
   */
  claim(id: string, expiresAt: number, now: number): Promise<boolean>

  /**
   * Takes a claim back. Has no effect on a claim of another token with the same id.
   *
   * @param id as it was claimed
   * @param expiresAt as it was claimed
   */
  release(id: string, expiresAt: number): Promise<void>
}
