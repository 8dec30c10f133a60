import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { base58 } from '@scure/base'
import { SOLANA } from '../../core/chain.ts'
import { SIMNET_FEE_WALLET_SOLANA } from '../../core/networkName.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SimClock, SimHolding, SimProgram, SimSolana } from '../kit/world.ts'
import { LOOKUP_TABLE_PROGRAM, lookupTableData, placeGenesis, tokenHolding } from './solanaAccounts.ts'
import { createSolanaBlocks, type SolanaBlocks } from './solanaBlocks.ts'
import { createSolanaLedger, type LandedTransaction, toSimTransaction } from './solanaLedger.ts'
import { type SolanaMethods, solanaMethods } from './solanaMethods.ts'
import { createSolanaPrograms } from './solanaPrograms.ts'
import { RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import { createSolanaTreasury, type SolanaTreasury, type TreasuryKey } from './solanaTreasury.ts'
import { openSolanaVm } from './solanaVm.ts'

/**
 * Programs that do nothing, beside the real ones of LiteSVM (system, tokens, memos and so on) and those of the venues.
 * Lighthouse: Phantom, Solflare and others add its assertions to what they sign; here each holds.
 * https://docs.phantom.com/developer-powertools/lighthouse
 */
const NOOP_PROGRAMS: readonly string[] = ['L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95']

/**
 * The offline Solana: LiteSVM behind JSON-RPC over HTTP. A transaction is confirmed at once and final 32 slots later;
 * accounts are shown as they are now, at every commitment. There are no websocket subscriptions: clients poll
 * `getSignatureStatuses`.
 */
export interface SolanaChain extends SimSolana {
  /** One JSON-RPC call; throws SolanaRpcError. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Adds tokens or SOL to a wallet, out of nothing. RangeError beyond what a balance can hold. */
  faucet(token: SimToken, wallet: string, amount: bigint): Promise<void>
  /** The latest finished slot and its time, in epoch ms. Slots pass whether or not the machine has started. */
  head(): { readonly isRunning: boolean; readonly slot: number; readonly at: number }
}

/** A started Solana. */
type Node = SolanaTreasury & {
  readonly methods: SolanaMethods
  install(programId: string, program?: SimProgram): void
  placeTable(table: string, addresses: readonly string[]): void
  holding(account: string): SimHolding | null
}

type NodeParts = {
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly blocks: SolanaBlocks
  readonly key: TreasuryKey
  readonly onLanded: (landed: LandedTransaction) => Promise<void>
}

const openNode = async ({ clock, tokens, blocks, key, onLanded }: NodeParts): Promise<Node> => {
  const vm = await openSolanaVm()
  const own = tokens.all.filter(({ chainId }) => chainId === SOLANA)
  placeGenesis(own, { treasury: key.address, rentExempt: vm.rentExempt, place: vm.put })
  const programs = createSolanaPrograms({ vm, tokens, treasury: key.address })
  const ledger = createSolanaLedger({ vm, programs, blocks, clock })
  return {
    ...createSolanaTreasury({ vm, tokens, blocks, ledger, key }),
    methods: solanaMethods({ vm, blocks, ledger, onLanded }),
    install: programs.install,
    placeTable: (table, addresses) => {
      const data = lookupTableData(addresses)
      vm.put(table, { owner: LOOKUP_TABLE_PROGRAM, data, lamports: vm.rentExempt(data.length) })
    },
    holding: (account) => tokenHolding(vm.account(account)),
  }
}

type ChainParts = {
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly seed: string
  /** Records the error of a listener, which does not concern the sender. */
  readonly note: (txHash: string, error: unknown) => void
}

/** The first call that needs the machine starts it, because loading it takes a moment. */
export const createSolanaChain = ({ clock, tokens, seed, note }: ChainParts): SolanaChain => {
  const blocks = createSolanaBlocks({ clock, seed })
  const listeners: Parameters<SimSolana['onTransaction']>[0][] = []
  /** What venues put on the chain, now and at each start. */
  const placed: ((node: Node) => void)[] = NOOP_PROGRAMS.map((programId) => (node) => node.install(programId))
  const secret = new Uint8Array(createHash('sha256').update(`${seed}:solana:treasury`).digest())
  let address: string | null = null
  let opening: Promise<Node> | null = null

  const treasury = (): string => {
    address ??= base58.encode(ed25519.getPublicKey(secret))
    return address
  }

  const known = (token: string): SimToken => {
    const found = tokens.find(SOLANA, token)
    if (!found) throw new RangeError(`${token} is no token of the offline Solana`)
    return found
  }

  const onLanded = async (landed: LandedTransaction): Promise<void> => {
    if (landed.outcome.failure !== null) return
    const transaction = toSimTransaction(landed, tokens)
    for (const listener of listeners) {
      try {
        await listener(transaction)
      } catch (error) {
        note(transaction.txHash, error)
      }
    }
  }

  const open = async (): Promise<Node> => {
    const node = await openNode({ clock, tokens, blocks, key: { address: treasury(), secret }, onLanded })
    for (const place of placed) place(node)
    // Venues pay fees only to token accounts that exist.
    for (const token of tokens.all)
      if (token.chainId === SOLANA && !token.isNative) node.grant(token, SIMNET_FEE_WALLET_SOLANA, 1n)
    return node
  }

  const started = (): Promise<Node> => {
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  const place = (what: (node: Node) => void): void => {
    placed.push(what)
    opening?.then(what, () => undefined)
  }

  return {
    call: async (method, params) => {
      const { methods } = await started()
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new SolanaRpcError(RPC_CODE.methodNotFound, 'Method not found')
      return found(params)
    },
    faucet: async (token, wallet, amount) => (await started()).grant(token, wallet, amount),
    head: () => ({ isRunning: opening !== null, slot: blocks.tip(), at: blocks.timeOf(blocks.tip()) * 1_000 }),
    treasury,
    transfer: async ({ token, ...payment }) => {
      const landed = await (await started()).pay({ token: known(token), ...payment })
      await onLanded(landed)
      return landed.signature
    },
    balance: async (token, owner) => (await started()).balance(known(token), owner),
    holding: async (account) => (await started()).holding(account),
    blockhash: async () => blocks.latest().blockhash,
    install: (programId, program) => place((node) => node.install(programId, program)),
    placeTable: (table, addresses) => place((node) => node.placeTable(table, addresses)),
    onTransaction: (listener) => {
      listeners.push(listener)
    },
  }
}
