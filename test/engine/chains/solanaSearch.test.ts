import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { associatedTokenAddress, TOKEN_2022_PROGRAM } from '../../../engine/chains/solana/solanaCodec.ts'
import { nativeAsset } from '../../../engine/core/asset.ts'
import { type Answers, evidenceOver, isUnreadable, patient, refuses, resets } from './evidenceBench.ts'
import { le, OTHERS, OWNER, USDC } from './solanaBench.ts'

/** How much earlier than by our clock Solana may date its blocks. */
const APART_MS = 7_200_000

/** What a node tells of the time that programs go by. */
const clock = (data: unknown, slot = 1) => ({
  context: { slot },
  value: { data, owner: 'Sysvar1111111111111111111111111111111111111' },
})
const bytes = Buffer.concat([le(500, 8), le(1, 8), le(2, 8), le(3, 8), le(1_700_000_000, 8)])
const SLOT = 70
const told = (slot: number) => clock([bytes.toString('base64'), 'base64'], slot)

describe('payments looked for on Solana', () => {
  const ATA = associatedTokenAddress(OWNER, USDC.address)
  const ATA_2022 = associatedTokenAddress(OWNER, USDC.address, TOKEN_2022_PROGRAM)
  const signature = (fill: number) => base58.encode(new Uint8Array(64).fill(fill))
  const entry = (fill: number, rest: object = {}) => ({
    signature: signature(fill),
    slot: fill,
    err: null,
    blockTime: fill,
    ...rest,
  })
  type Lists = { readonly [account: string]: readonly object[] }
  const nodeWith = (lists: Lists, answers: Answers = {}): Answers => ({
    getTokenAccountsByOwner: { context: { slot: SLOT }, value: [{ pubkey: OTHERS, account: {} }] },
    getSignaturesForAddress: (account: string, { limit }: { limit: number }) => (lists[account] ?? []).slice(0, limit),
    getAccountInfo: told(SLOT),
    getFirstAvailableBlock: 3,
    getBlockTime: 1,
    ...answers,
  })
  const look = (lists: Lists, answers: Answers = {}, asset = USDC) => {
    const { evidence, asked } = evidenceOver({ a: nodeWith(lists, answers) })
    const question = { asset, recipient: OWNER, since: 10_000 + APART_MS }
    const search = () => evidence.search(question, patient())
    const untouchedUntil = () => evidence.untouchedUntil(question, patient())
    const accounts = () => asked.filter((each) => each.asked === 'getSignaturesForAddress').map(({ params }) => params[0])
    return { search, untouchedUntil, accounts }
  }

  it('are found at all accounts of the wallet for the token, oldest first, each once, without those that failed', async () => {
    const own = [entry(41, { err: 'AccountNotFound' }), entry(40), entry(30, { blockTime: null }), entry(9)]
    const lists = { [OWNER]: [entry(50)], [ATA]: own, [ATA_2022]: [entry(20)], [OTHERS]: [entry(30), entry(11)] }
    const { search, accounts } = look(lists)
    expect(await search()).toEqual({ hashes: [11, 20, 30, 40].map(signature), isWhole: true })
    expect(accounts()).toEqual([ATA, ATA_2022, OTHERS])
  })

  it('are found although the first endpoint is stuck, which is reported', async () => {
    const at = (seconds: number, slot: number) =>
      clock([Buffer.concat([bytes.subarray(0, 32), le(seconds, 8)]).toString('base64'), 'base64'], slot)
    const nodes = {
      a: nodeWith({}, { getAccountInfo: at(1_999_990_000, SLOT) }),
      b: nodeWith({ [ATA]: [entry(40)] }, { getAccountInfo: at(2_000_000_000, SLOT) }),
    }
    const { evidence, clock: ours, events } = evidenceOver(nodes)
    const search = () => evidence.search({ asset: USDC, recipient: OWNER, since: 10_000 + APART_MS }, patient())
    await search()
    for (const passed of [30_000, 3_600_000]) {
      ours.at += passed
      expect((await search()).hashes).toEqual([signature(40)])
    }
    expect(events.filter(({ event }) => event === 'chain.lag')).toMatchObject([{ endpoint: 1, lagging: true }])
  })

  it('are found at the wallet too, where they are of lamports', async () => {
    const wrapped = associatedTokenAddress(OWNER, nativeAsset(-2).address)
    const { search } = look({ [OWNER]: [entry(30)], [wrapped]: [entry(40)] }, {}, nativeAsset(-2))
    expect((await search()).hashes).toEqual([30, 40].map(signature))
  })

  it.each([
    ['is cut short', { [ATA]: Array.from({ length: 1_000 }, (_none, index) => entry(20 + (index % 200))) }, {}],
    ['is kept for less long than asked for', {}, { getBlockTime: 11 }],
    ['is kept for nobody knows how long', {}, { getBlockTime: refuses('not available') }],
    ['is kept for what the node does not say', {}, { getFirstAvailableBlock: undefined }],
  ])('may be more than are found where the list %s', async (_what, lists: Lists, answers) => {
    expect((await look(lists, answers).search()).isWhole).toBe(false)
  })

  it('are all there are where the list goes back beyond the time asked for', async () => {
    const long = [...Array.from({ length: 999 }, (_none, index) => entry(20 + (index % 200))), entry(9)]
    expect((await look({ [ATA]: long }).search()).isWhole).toBe(true)
  })

  const sentBy = (
    list: readonly object[],
    { since = 10_000, after = null as number | null, answers = {} as Answers, finalized = 900 } = {},
  ) => {
    const getSignaturesForAddress = (account: string, { limit, before }: { limit: number; before?: string }) => {
      expect(account).toBe(OWNER)
      const from = before === undefined ? 0 : list.findIndex((each) => (each as { signature: string }).signature === before) + 1
      return list.slice(from, from + limit)
    }
    const { evidence, asked } = evidenceOver({ a: nodeWith({}, { getSlot: finalized, getSignaturesForAddress, ...answers }) })
    const question = { asset: USDC, sender: OWNER, since: since + APART_MS, after }
    return { sent: () => evidence.sentBy(question, patient()), asked }
  }

  it('of a wallet are all that name it since, oldest first, without those that failed', async () => {
    const list = [entry(40), entry(30, { err: 'Custom' }), entry(20), entry(10), entry(9)]
    expect(await sentBy(list).sent()).toEqual({
      transactions: [10, 20, 40].map((slot) => ({ hash: signature(slot), height: slot })),
      reached: 900 - 64,
      at: 1_700_000_000_000,
    })
    expect((await sentBy(list, { after: 20 }).sent()).transactions).toEqual([{ hash: signature(40), height: 40 }])
  })

  it('of a wallet are read back page by page, and are said not to be all where there are more', async () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_none, index) => {
        const number = count - index
        const bytesOf = new Uint8Array(64).fill(1)
        bytesOf.set([number >> 8, number & 255])
        return { signature: base58.encode(bytesOf), slot: number, err: null, blockTime: 20 + number }
      })
    const some = await sentBy(many(2_500)).sent()
    expect([some.transactions.length, some.transactions[0]?.height, some.at]).toEqual([2_500, 1, 1_700_000_000_000])
    const { sent, asked } = sentBy(many(7_000))
    expect([(await sent()).transactions.length, (await sent()).at]).toEqual([5_000, null])
    expect(asked.filter((each) => each.asked === 'getSignaturesForAddress')).toHaveLength(10)
  })

  it('of a wallet are unreadable where its node breaks off', async () => {
    expect(await isUnreadable(sentBy([], { answers: { getSignaturesForAddress: resets } }).sent())).toBe(true)
  })

  it('show an address that was never paid: no transaction ever named it', async () => {
    expect(await look({}).untouchedUntil()).toBe(1_700_000_000_000)
    for (const account of [OWNER, ATA, ATA_2022, OTHERS])
      expect(await look({ [account]: [entry(5)] }).untouchedUntil()).toBeNull()
    expect(await look({ [OWNER]: [entry(5, { err: 'AccountNotFound' })] }).untouchedUntil()).toBeNull()
    expect(await look({}, { getBlockTime: 11 }).untouchedUntil()).toBeNull()
  })

  it.each(['getTokenAccountsByOwner', 'getSignaturesForAddress'])(
    'show no address as unpaid while the node that answers %s has not come as far as the one that told the time',
    async (method) => {
      const behind = (...params: readonly unknown[]) => {
        const { minContextSlot = 0 } = params[method === 'getTokenAccountsByOwner' ? 2 : 1] as { minContextSlot?: number }
        if (minContextSlot > SLOT - 1) return refuses('Minimum context slot has not been reached', -32_016)
        return method === 'getTokenAccountsByOwner' ? { context: { slot: SLOT - 1 }, value: [] } : []
      }
      expect(await isUnreadable(look({}, { [method]: behind }).untouchedUntil())).toBe(true)
    },
  )

  it('show no address as unpaid by a node that is behind and heeds no least slot', async () => {
    const getTokenAccountsByOwner = { context: { slot: SLOT - 1 }, value: [] }
    expect(await isUnreadable(look({}, { getTokenAccountsByOwner }).untouchedUntil())).toBe(true)
  })

  it.each([
    ['the accounts of the wallet', { getTokenAccountsByOwner: { value: null } }],
    ['an account of the wallet', { getTokenAccountsByOwner: { value: [{ pubkey: 'mine' }] } }],
    ['the list', { getSignaturesForAddress: null }],
    ['a signature', { getSignaturesForAddress: [entry(30, { signature: 'x' })] }],
    ['whether one failed', { getSignaturesForAddress: [entry(30, { err: undefined })] }],
    ['a slot', { getSignaturesForAddress: [entry(30, { slot: -1 })] }],
    ['anything', { getSignaturesForAddress: resets }],
  ])('are unreadable where the node does not tell %s', async (_what, answers) => {
    expect(await isUnreadable(look({}, answers).search())).toBe(true)
    expect(await isUnreadable(look({}, answers).untouchedUntil())).toBe(true)
  })
})

describe('the time that has passed for Solana', () => {
  const timeBy = (answer: unknown) => evidenceOver({ a: { getAccountInfo: answer } }).evidence.confirmedTime(-2, patient())

  it('is the one its programs go by', async () => {
    expect(await timeBy(clock([bytes.toString('base64'), 'base64']))).toBe(1_700_000_000_000)
  })

  it.each([
    ['cut', clock([bytes.subarray(0, 39).toString('base64'), 'base64'])],
    ['in another encoding', clock([bytes.toString('base64'), 'base58'])],
    ['not there', { context: { slot: 1 }, value: null }],
    ['parsed', clock({ parsed: {} })],
    ['out of reach', resets],
  ])('is unknown where the clock is %s', async (_what, answer) => {
    expect(await isUnreadable(timeBy(answer))).toBe(true)
  })
})
