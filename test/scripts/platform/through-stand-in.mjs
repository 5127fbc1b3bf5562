/** Loaded by `node --import`. Sends requests to the tests' hosts to the stand-in. */
const direct = globalThis.fetch

globalThis.fetch = (input, init) => {
  const url = new URL(input.url ?? input)
  return url.hostname.endsWith('.example')
    ? direct(`${process.env.PLATFORM_STAND_IN}/service/${url.hostname}${url.pathname}${url.search}`, init)
    : direct(input, init)
}
