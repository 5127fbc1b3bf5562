/** Hosts of this machine, as `URL.hostname` has them. What is sent to them unencrypted does not leave it. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
