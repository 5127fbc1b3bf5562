/** Most characters of a search. */
const MOST_CHARACTERS = 200

/** What an input gets if the page says nothing else: programs and keyboards must not change what is typed. */
const ATTRIBUTES = {
  autocomplete: 'off',
  autocapitalize: 'none',
  autocorrect: 'off',
  spellcheck: 'false',
  enterkeyhint: 'search',
  maxlength: String(MOST_CHARACTERS),
}

/** @param statusId of the element that says what the box does */
export function prepareInput(input: HTMLInputElement, statusId: string): void {
  for (const [name, value] of Object.entries(ATTRIBUTES)) {
    if (!input.hasAttribute(name)) input.setAttribute(name, value)
  }
  const described = new Set(input.getAttribute('aria-describedby')?.match(/\S+/g)).add(statusId)
  input.setAttribute('aria-describedby', [...described].join(' '))
}

/** Makes the form send the value with the input, and not if the input is disabled. */
export function followForm(input: HTMLInputElement, hidden: HTMLInputElement, signal: AbortSignal): void {
  const form = input.getAttribute('form')
  if (form !== null) hidden.setAttribute('form', form)
  const follow = () => {
    hidden.disabled = input.disabled
  }
  const observer = new MutationObserver(follow)
  observer.observe(input, { attributeFilter: ['disabled'] })
  signal.addEventListener('abort', () => observer.disconnect())
  follow()
}
