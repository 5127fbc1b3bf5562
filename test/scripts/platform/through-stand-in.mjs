/** Loaded by `node --import`: sends requests to the hosts of the tests to the stand-in. */
const { PLATFORM_STAND_IN } = process.env
const direct = globalThis.fetch

globalThis.fetch = (input, init) => {
  const url = new URL(input.url ?? input)
  return url.hostname.endsWith('.example')
    ? direct(`${PLATFORM_STAND_IN}/service/${url.hostname}${url.pathname}${url.search}`, init)
    : direct(input, init)
}
