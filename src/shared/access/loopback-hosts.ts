/** Hosts of this machine, as in `URL.hostname`. Unencrypted requests to them do not leave the machine. */
export const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]']
