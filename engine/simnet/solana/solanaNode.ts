import { SOLANA } from '../../core/chain.ts'
import type { SimTokens } from '../kit/tokens.ts'
import type { SimClock } from '../kit/world.ts'
import { lookupTableData, placeGenesis, type TokenHolding, tokenHolding } from './solanaAccounts.ts'
import { createSolanaBank, type SolanaBank } from './solanaBank.ts'
import type { SolanaBlocks } from './solanaBlocks.ts'
import { createSolanaExecution } from './solanaExecution.ts'
import { createSolanaLedger, type LandedTransaction } from './solanaLedger.ts'
import { readKey, readWhole } from './solanaParams.ts'
import { createSolanaPrograms, type SolanaPrograms } from './solanaPrograms.ts'
import { type SolanaMethods, solanaReadMethods } from './solanaReadMethods.ts'
import { RPC_CODE, SolanaRpcError } from './solanaRpcError.ts'
import { solanaTransactionMethods } from './solanaTransactionMethods.ts'
import type { SolanaTreasury } from './solanaTreasury.ts'
import { openSolanaVm } from './solanaVm.ts'

const LOOKUP_TABLE_PROGRAM = 'AddressLookupTab1e1111111111111111111111111'

/** A started Solana. */
export type SolanaNode = {
  readonly methods: SolanaMethods
  readonly bank: SolanaBank
  readonly install: SolanaPrograms['install']
  placeTable(table: string, addresses: readonly string[]): void
  holding(account: string): TokenHolding | null
}

/** A faucet of a test network; nobody is told of it, as nobody is told of the other faucet. */
const airdropMethods = (bank: SolanaBank): SolanaMethods => ({
  requestAirdrop: async ([key, lamports]) => {
    const amount = BigInt(readWhole(lamports, 'lamports'))
    try {
      return await bank.airdrop(readKey(key), amount)
    } catch (error) {
      if (error instanceof SolanaRpcError) throw error
      throw new SolanaRpcError(RPC_CODE.internal, `Internal error: ${error instanceof Error ? error.message : String(error)}`)
    }
  },
})

export const openSolanaNode = async ({
  clock,
  tokens,
  blocks,
  treasury,
  onLanded,
}: {
  readonly clock: SimClock
  readonly tokens: SimTokens
  readonly blocks: SolanaBlocks
  readonly treasury: SolanaTreasury
  readonly onLanded: (landed: LandedTransaction) => Promise<void>
}): Promise<SolanaNode> => {
  const vm = await openSolanaVm()
  const own = tokens.all.filter(({ chainId }) => chainId === SOLANA)
  placeGenesis(own, { treasury: treasury.address, rentExempt: vm.rentExempt, place: vm.put })
  const ledger = createSolanaLedger()
  const programs = createSolanaPrograms({ vm, tokens, treasury: treasury.address })
  const execution = createSolanaExecution({ vm, programs, blocks, ledger, clock })
  const bank = createSolanaBank({ vm, blocks, execution, treasury })
  const methods = {
    ...solanaReadMethods({ vm, blocks, ledger }),
    ...solanaTransactionMethods({ vm, blocks, ledger, execution, onLanded }),
    ...airdropMethods(bank),
  }
  return {
    methods,
    bank,
    install: programs.install,
    placeTable: (table, addresses) => {
      const data = lookupTableData(addresses)
      vm.put(table, { owner: LOOKUP_TABLE_PROGRAM, data, lamports: vm.rentExempt(data.length) })
    },
    holding: (account) => tokenHolding(vm.account(account)),
  }
}
