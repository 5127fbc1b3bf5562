import { beforeEach, describe, expect, it, vi } from 'vitest'
import { columnMemory } from '#console/upload/process/column-memory'

describe('the memory of columns', () => {
  const texts = new Map<string, string>()
  beforeEach(() => {
    texts.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => texts.set(key, text),
    })
  })
  const memory = () => columnMemory({ workspace_id: 'w' } as Parameters<typeof columnMemory>[0], 'medication')

  it.each(['{', 'null', '{"a":5}', '{"a":[{"field":7}]}'])(
    'is empty if its text is damaged, and takes new columns: %s',
    (text) => {
      memory().remember(['x'], [null])
      const [key = ''] = texts.keys()
      texts.set(key, text)
      expect(memory().read()).toEqual({})
      memory().remember(['id', 'Box'], [null, { field: 'custom_type' }])
      expect(Object.values(memory().read())).toEqual([[null, { field: 'custom_type' }]])
    },
  )

  it('lasts as long as the page if the browser keeps nothing for it', () => {
    vi.stubGlobal('localStorage', undefined)
    const ofPage = memory()
    ofPage.remember(['id'], [null])
    expect(Object.values(ofPage.read())).toEqual([[null]])
  })
})
