import { afterEach, describe, expect, it } from 'vitest'
import { createExplainer } from '../../scripts/explainer.ts'
import { createMemoryStore, type MemoryStore } from '../support/memoryStore.ts'
import { aNewSwap } from '../support/storedSwap.ts'
import { createTestClock } from '../support/testEngine.ts'

const SPIN_MS = 6
const SWAPS = 6

let store: MemoryStore | null = null

afterEach(async () => {
  await store?.close()
})

describe('the explainer', () => {
  it('yields four times as long as it blocks the process, within one explanation and between two', async () => {
    store = await createMemoryStore(createTestClock())
    for (let count = 0; count < SWAPS; count += 1)
      await store.swaps.add(await aNewSwap({ bindingKey: `b${count}`, ref: `ref-${count}` }))
    const spun: { readonly from: number; readonly to: number }[] = []
    const { operator } = store
    // As SQLite does: nothing else goes on meanwhile.
    const raceOf = (id: number) => {
      const from = performance.now()
      while (performance.now() < from + SPIN_MS);
      spun.push({ from, to: performance.now() })
      return operator.raceOf(id)
    }
    const explainer = createExplainer()
    explainer.over({
      ...store,
      operator: new Proxy(operator, { get: (of, name) => (name === 'raceOf' ? raceOf : Reflect.get(of, name)) }),
    })
    for (const id of ['q1', 'req-1']) expect(await explainer.explain(id)).toContain(`Swap ${SWAPS}`)
    expect(spun).toHaveLength(2 * SWAPS)
    for (const [at, { from }] of spun.entries()) {
      const before = spun[at - 1]
      if (before) expect(from - before.to).toBeGreaterThan(4 * SPIN_MS - 2)
    }
  })

  it.each([
    [50, false],
    [51, true],
  ])('lists at most the newest 50 swaps of a request and reports the rest: %i swaps', async (count, isCut) => {
    store = createMemoryStore(createTestClock())
    for (let one = 0; one < count; one += 1) await store.swaps.add(await aNewSwap({ quoteId: `q${one}`, ref: `ref-${one}` }))
    const explainer = createExplainer()
    explainer.over(store)
    const lines = (await explainer.explain('req-1')) ?? []
    expect([lines.includes('Swap 1'), lines.includes(`Swap ${count}`)]).toEqual([!isCut, true])
    expect(lines.includes('- swaps beyond the newest 50 of them')).toBe(isCut)
  })

  it('escapes control and direction characters in text from callers', async () => {
    store = createMemoryStore(createTestClock())
    const odd = '</pre><script>\u001b[2J\u202eevil\u0000\u2028\r\n'
    await store.swaps.add(await aNewSwap({ ref: odd, requestId: odd, executedBy: null, partnerId: null }))
    const explainer = createExplainer()
    explainer.over(store)
    const lines = (await explainer.explain('q1')) ?? []
    expect(String(lines)).toMatch(/,ref +<\/pre><script>\\u\{1b\}\[2J\\u\{202e\}evil\\u\{0\}\\u\{2028\}\\u\{d\}\\u\{a\},/)
    expect(String(lines)).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u)
  })

  it('returns starting while the store is not open', async () => {
    expect(await createExplainer().explain('q1')).toBe('starting')
  })
})
