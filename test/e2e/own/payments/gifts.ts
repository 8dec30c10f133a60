import { encodeFunctionData, erc20Abi, type Hex, keccak256, toBytes, toHex } from 'viem'
import type { Holding } from '../../../../scripts/client/balances.ts'
import { solanaWallet } from '../../../../scripts/client/solana.ts'
import { fund } from '../../../../scripts/client/swap.ts'
import { NATIVE, NATIVE_SOL, SOLANA } from '../../../../scripts/client/tokens.ts'
import type { Service } from './liars.ts'
import { createPayers } from './payers.ts'

let donors = 0
const giveOnSolana = async (
  service: Pick<Service, 'control'>,
  { token: mint, owner: to, amount }: Omit<Holding, 'chainId'> & { readonly amount: string },
): Promise<string> => {
  donors += 1
  const donor = solanaWallet(service.control, toBytes(keccak256(toHex(`donor ${donors}`))))
  await fund(service, SOLANA, donor.address, { [NATIVE_SOL]: '1000000000', [mint]: amount })
  return (await donor.payToken({ mint, to, amount: BigInt(amount), decimals: 6 })).signature
}

/** Eight thousand empty logs. */
const NOISE = { address: '0x9999999999999999999999999999999999999999', code: '0x611f405b60006000a0600190038060035700' } as const
/** Any call of it tells, as a token would, that its caller's money went where the call says. */
export const FORGED_TOKEN = {
  address: '0x7777777777777777777777777777777777777777',
  // mstore(0, amount); log3(0, 32, Transfer, caller, to); return true
  code: `0x60243560005260043533${'7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'}60206000a3600160005260206000f3`,
} as const

/** Pays somebody, for no swap at all; `noisy`: in a transaction with thousands of logs. */
export const give = async (
  service: Pick<Service, 'control'>,
  { chainId, token, owner, amount }: Holding & { readonly amount: string },
  { noisy = false } = {},
): Promise<string> => {
  if (chainId === SOLANA) return giveOnSolana(service, { token, owner, amount })
  const payers = createPayers(service, chainId)
  const donor = await payers.newPayer('an account of ERC-4337')
  if (token !== FORGED_TOKEN.address) await fund(service, chainId, donor.address, { [token]: amount })
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [owner as Hex, BigInt(amount)] })
  const gift = token === NATIVE ? { to: owner, value: amount, data: '0x' } : { to: token, value: '0', data }
  await payers.placeCode(NOISE.address, NOISE.code)
  await payers.placeCode(FORGED_TOKEN.address, FORGED_TOKEN.code)
  const noise = { to: NOISE.address, value: '0', data: '0x' }
  return (await donor.pay(noisy ? [noise, gift, noise] : [gift])).ref
}

/** None of them is what a route delivers. */
export const OTHER_TOKENS: { readonly [chainId: number]: string } = {
  1: '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  8453: '0x4200000000000000000000000000000000000006',
  42161: '0x912CE59144191C1204E64559FE8253a0e49E6548',
}
