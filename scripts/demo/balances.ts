import { formatUnits } from 'viem'
import { heldBy } from '../client/balances.ts'
import type { NetworkControl } from '../client/network.ts'
import { NATIVE, NATIVE_SOL, SOLANA } from '../client/tokens.ts'
import type { Chain, Quote, Token } from '../client/wire.ts'
import { inCoins } from './printer.ts'

type Coin = Pick<Token, 'chainId' | 'address' | 'symbol' | 'decimals' | 'isNative'>
type Account = { readonly who: 'sender' | 'recipient'; readonly owner: string; readonly coin: Coin }

/** What one account held before and after a swap, by its chain. */
export type Balance = Account & { readonly chainName: string; readonly before: bigint; readonly after: bigint }

export type Watching = { readonly control: NetworkControl; readonly chainOf: (chainId: number) => Chain }

const holdingOf = ({ owner, coin: { chainId, address, isNative } }: Account) => {
  const native = chainId === SOLANA ? NATIVE_SOL : NATIVE
  return { chainId, owner, token: isNative ? native : address }
}

/** Reads what a swap moves: the sender's input and gas money, and the recipient's output. */
export const watchBalances = async (
  { control, chainOf }: Watching,
  { input, output }: Pick<Quote, 'input' | 'output'>,
  { sender, recipient }: { readonly sender: string; readonly recipient: string },
): Promise<() => Promise<readonly Balance[]>> => {
  const { nativeCurrency } = chainOf(input.token.chainId)
  const gas: Coin = { ...nativeCurrency, chainId: input.token.chainId, address: '', isNative: true }
  const accounts: readonly Account[] = [
    { who: 'sender', owner: sender, coin: input.token },
    ...(input.token.isNative ? [] : [{ who: 'sender', owner: sender, coin: gas } as const]),
    { who: 'recipient', owner: recipient, coin: output.token },
  ]
  const read = () => Promise.all(accounts.map((account) => heldBy({ control }, holdingOf(account))))
  const before = await read()
  return async () => {
    const after = await read()
    return accounts.map((account, i) => ({
      ...account,
      chainName: chainOf(account.coin.chainId).name,
      before: before[i] ?? 0n,
      after: after[i] ?? 0n,
    }))
  }
}

const changeOf = ({ before, after }: Balance): bigint => after - before

/** Throws when the chains do not bear out what the service said. */
export const checkBalances = (
  balances: readonly Balance[],
  { input, output, slippage }: Pick<Quote, 'input' | 'output' | 'slippage'>,
  deliveredAmount: string | undefined,
): void => {
  const received = balances.find(({ who }) => who === 'recipient')
  const paid = balances.find(({ who }) => who === 'sender')
  if (!received || !paid) throw new Error('no balances were read')
  const promised = BigInt(slippage?.guaranteedMin ?? output.amount)
  if (changeOf(received) < promised)
    throw new Error(
      `the recipient got ${inCoins(changeOf(received), received.coin)} of at least ${inCoins(promised, received.coin)}`,
    )
  if (deliveredAmount !== undefined && BigInt(deliveredAmount) !== changeOf(received))
    throw new Error(`${deliveredAmount} units were reported as delivered, ${changeOf(received)} arrived`)
  if (-changeOf(paid) < BigInt(input.amount))
    throw new Error(`the sender paid ${inCoins(-changeOf(paid), paid.coin)} of ${inCoins(BigInt(input.amount), paid.coin)}`)
}

const signed = (amount: string): string => (amount.startsWith('-') ? amount : `+${amount}`)

/** One line per account, in columns. */
export const balanceTable = (balances: readonly Balance[]): readonly string[] => {
  const rows = [
    ['balances', 'chain', 'token', 'before', 'after', 'change'],
    ...balances.map((balance) => {
      const { who, chainName, coin, before, after } = balance
      const shown = (amount: bigint) => formatUnits(amount, coin.decimals)
      return [who, chainName, coin.symbol, shown(before), shown(after), signed(shown(changeOf(balance)))]
    }),
  ]
  const widths = [0, 1, 2, 3, 4, 5].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) => row.map((cell, i) => (i < 3 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '))
}
