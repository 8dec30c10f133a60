import { SOLANA } from '../../core/chain.ts'
import { SIMNET_FEE_WALLET_SOLANA } from '../../core/networkName.ts'
import type { SimTransaction } from '../kit/simVenue.ts'
import type { SimToken, SimTokens } from '../kit/tokens.ts'
import type { SimClock, SimProgram, SimSolana } from '../kit/world.ts'
import { createSolanaBlocks } from './solanaBlocks.ts'
import { toSimTransaction } from './solanaLanded.ts'
import type { LandedTransaction } from './solanaLedger.ts'
import { openSolanaNode, type SolanaNode } from './solanaNode.ts'
import { RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import { createSolanaTreasury, type SolanaTreasury } from './solanaTreasury.ts'

/**
 * Programs that are there from the start and do nothing, beside LiteSVM's own real ones (system, tokens, memos and so on)
 * and those of the venues. Lighthouse: Phantom, Solflare and others add its assertions to what they sign; here each holds.
 * https://docs.phantom.com/developer-powertools/lighthouse
 */
const NOOP_PROGRAMS: readonly string[] = ['L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95']

/**
 * The offline Solana: LiteSVM behind JSON-RPC over HTTP. What lands is confirmed at once and final 32 slots later; accounts
 * are shown as they are now, at every commitment. There are no websocket subscriptions: whoever waits for a signature polls
 * `getSignatureStatuses`.
 */
export interface SolanaChain extends SimSolana {
  /** One JSON-RPC call; throws SolanaRpcError. */
  call(method: string, params: readonly unknown[]): Promise<unknown>
  /** Gives a wallet more of a token, or of SOL, out of nothing. RangeError beyond what a balance can hold. */
  faucet(token: SimToken, wallet: string, amount: bigint): Promise<void>
  /** The latest finished slot and its time, in epoch ms. Slots pass whether or not the machine was started. */
  head(): { readonly isRunning: boolean; readonly slot: number; readonly at: number }
}

type Listener = Parameters<SimSolana['onTransaction']>[0]

/** Venues pay fees only to token accounts that are there. */
const withFeeAccounts = async (node: SolanaNode, { all }: SimTokens): Promise<SolanaNode> => {
  for (const token of all)
    if (token.chainId === SOLANA && !token.isNative) await node.bank.grant(token, SIMNET_FEE_WALLET_SOLANA, 1n)
  return node
}

/** Started by the first call that needs it: the machine and its programs take a moment to load. */
export const createSolanaChain = ({
  clock,
  tokens,
  seed,
  note,
}: {
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly seed: string
  /** Told of a listener that failed, which is not the sender's business. */
  readonly note: (txHash: string, error: unknown) => void
}): SolanaChain => {
  const blocks = createSolanaBlocks({ clock, seed })
  const listeners: Listener[] = []
  const programs = new Map<string, SimProgram | undefined>(NOOP_PROGRAMS.map((programId) => [programId, undefined]))
  const tables = new Map<string, readonly string[]>()
  let ownTreasury: SolanaTreasury | null = null
  let opening: Promise<SolanaNode> | null = null

  const treasury = (): SolanaTreasury => {
    ownTreasury ??= createSolanaTreasury(seed)
    return ownTreasury
  }

  const known = (address: string): SimToken => {
    const token = tokens.find(SOLANA, address)
    if (!token) throw new RangeError(`${address} is no token of the offline Solana`)
    return token
  }

  const tell = async (landed: LandedTransaction): Promise<void> => {
    if (landed.outcome.failure) return
    const transaction: SimTransaction = toSimTransaction(landed, tokens)
    for (const listener of listeners) {
      try {
        await listener(transaction)
      } catch (error) {
        note(transaction.txHash, error)
      }
    }
  }

  const open = async (): Promise<SolanaNode> => {
    const node = await openSolanaNode({ clock, tokens, blocks, treasury: treasury(), onLanded: tell })
    for (const [programId, program] of programs) node.install(programId, program)
    for (const [table, addresses] of tables) node.placeTable(table, addresses)
    return withFeeAccounts(node, tokens)
  }

  const started = (): Promise<SolanaNode> => {
    opening ??= open().catch((error: unknown) => {
      opening = null
      throw error
    })
    return opening
  }

  return {
    call: async (method, params) => {
      const { methods } = await started()
      const found = Object.hasOwn(methods, method) ? methods[method] : undefined
      if (!found) throw new SolanaRpcError(RPC_CODE.methodNotFound, 'Method not found')
      return found(params)
    },
    faucet: async (token, wallet, amount) => (await started()).bank.grant(token, wallet, amount),
    head: () => ({ isRunning: opening !== null, slot: blocks.tip(), at: blocks.timeOf(blocks.tip()) * 1_000 }),
    treasury: () => treasury().address,
    transfer: async ({ token, to, amount, ...how }) => {
      const landed = await (await started()).bank.transfer(known(token), to, amount, how)
      await tell(landed)
      return landed.signature
    },
    balance: async (token, owner) => (await started()).bank.balance(known(token), owner),
    holding: async (account) => (await started()).holding(account),
    blockhash: async () => blocks.latest().blockhash,
    install: (programId, program) => {
      programs.set(programId, program)
      // Only once it runs; a start that fails is told to whoever asked for it.
      opening?.then(
        (node) => node.install(programId, program),
        () => undefined,
      )
    },
    placeTable: (table, addresses) => {
      tables.set(table, addresses)
      opening?.then(
        (node) => node.placeTable(table, addresses),
        () => undefined,
      )
    },
    onTransaction: (listener) => {
      listeners.push(listener)
    },
  }
}
