import { beforeEach, describe, expect, it, vi } from 'vitest'
import { answerMemory } from '#console/upload/process/answer-memory'
import type { SavedAnswers } from '#files/file-summary'

const saved = (...headers: string[]): SavedAnswers => ({ headers, targets: {}, fills: {}, choices: {}, more: {} })

describe('the memory of answers', () => {
  const texts = new Map<string, string>()
  beforeEach(() => {
    texts.clear()
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => texts.get(key) ?? null,
      setItem: (key: string, text: string) => texts.set(key, text),
    })
  })
  const memory = (email = 'a@example.org') => answerMemory({ workspace_id: 'w', email }, 'medication')

  it.each(['{', 'null', '[{"headers":5}]', '[{"headers":["a"],"targets":{"a":{"field":7}}}]'])(
    'is empty if its text is damaged, and accepts new answers: %s',
    (text) => {
      memory().remember(saved('x'))
      const [key = ''] = texts.keys()
      texts.set(key, text)
      expect(memory().read()).toEqual([])
      memory().remember(saved('id', 'box'))
      expect(memory().read()).toEqual([saved('id', 'box')])
    },
  )

  it('has one entry for the same columns in any order, for one user', () => {
    memory().remember(saved('id', 'box'))
    memory().remember(saved('box', 'id'))
    expect(memory().read()).toEqual([saved('box', 'id')])
    expect(memory('b@example.org').read()).toEqual([])
    memory().forget(['id', 'box'])
    expect(memory().read()).toEqual([])
  })

  it('lasts as long as the page if the browser stores nothing for it', () => {
    vi.stubGlobal('localStorage', undefined)
    const ofPage = memory()
    ofPage.remember(saved('id'))
    expect(ofPage.read()).toEqual([saved('id')])
  })
})
