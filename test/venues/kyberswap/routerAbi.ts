import { decodeFunctionData, encodeFunctionData, type Hex, parseAbi } from 'viem'

/** The published router ABI, decoded by viem. */
const CALL =
  '(address callTarget, address approveTarget, bytes targetData, (address srcToken, address dstToken, address[] srcReceivers, uint256[] srcAmounts, address[] feeReceivers, uint256[] feeAmounts, address dstReceiver, uint256 amount, uint256 minReturnAmount, uint256 flags, bytes permit) desc, bytes clientData) execution'

export const SWAP_ABI = parseAbi([`function swap(${CALL}) payable returns (uint256, uint256)`])
const OTHERS_ABI = parseAbi([`function swapGeneric(${CALL}) payable returns (uint256, uint256)`])

export const EVENTS = parseAbi([
  'event Swapped(address sender, address srcToken, address dstToken, address dstReceiver, uint256 spentAmount, uint256 returnAmount)',
  'event Exchange(address pair, uint256 amountOut, address output)',
  'event ClientData(bytes clientData)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
])

export const hexOf = (address: string): Hex => address as Hex

export const readCall = (data: string) => decodeFunctionData({ abi: SWAP_ABI, data: data as Hex }).args[0]
export type Call = ReturnType<typeof readCall>

export const writeCall = (call: Call): Hex => encodeFunctionData({ abi: SWAP_ABI, args: [call] })
export const writeGeneric = (call: Call): Hex => encodeFunctionData({ abi: OTHERS_ABI, args: [call] })
