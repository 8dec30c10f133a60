import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'
import { CLIENT_DATA, SWAP_ABI, SWAPPED } from '../../../engine/venues/kyberswap/protocol.ts'

/** Another function of the router with the same arguments. */
const EXECUTION =
  '(address callTarget, address approveTarget, bytes targetData, (address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit) desc, bytes clientData) execution'
const OTHERS_ABI = parseAbi([`function swapGeneric(${EXECUTION}) payable returns (uint256, uint256)`])

const OTHER_EVENTS = parseAbi([
  'event Exchange(address pair, uint256 amountOut, address output)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])
export const EVENTS = [...SWAPPED, ...CLIENT_DATA, ...OTHER_EVENTS] as const

export const hexOf = (address: string): Hex => address as Hex

export const readCall = (data: string) => decodeFunctionData({ abi: SWAP_ABI, data: data as Hex }).args[0]
export type Call = ReturnType<typeof readCall>

export const writeCall = (call: Call): Hex => encodeFunctionData({ abi: SWAP_ABI, args: [call] })
export const writeGeneric = (call: Call): Hex => encodeFunctionData({ abi: OTHERS_ABI, args: [call] })
