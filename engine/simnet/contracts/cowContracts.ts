import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js'
import type { GenesisAccount } from '../evm/anvilNode.ts'
import { wordOf } from '../kit/abiWords.ts'
import { BOOK_NETWORKS, ETH_FLOW, RELAYER, SETTLEMENT } from '../venues/cow/book.ts'
import { type Artifacts, slot } from './artifacts.ts'

/** networks.json of @cowprotocol/contracts: who says which accounts are solvers. */
const AUTHENTICATOR = '0x2c4c28DDBdAc9C5E7055b4C863b72eA0149D8aFE'

const hashOf = (text: string): Uint8Array => keccak_256(utf8ToBytes(text))

/** https://eips.ethereum.org/EIPS/eip-712 */
const domainSeparator = (chainId: number): string => {
  const type = hashOf('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
  const values = [hexToBytes(wordOf(chainId.toString(16))), hexToBytes(wordOf(SETTLEMENT))]
  return bytesToHex(keccak_256(concatBytes(type, hashOf('Gnosis Protocol'), hashOf('v2'), ...values)))
}

/** CoW Protocol's own settlement contracts, and a stand-in for EthFlow, at the published addresses of one chain. */
export const cowContracts = async (chainId: number, { accountOf }: Artifacts): Promise<readonly GenesisAccount[]> => {
  const network = BOOK_NETWORKS.find((candidate) => candidate.chainId === chainId)
  if (!network) return []
  return Promise.all([
    accountOf(SETTLEMENT, 'GPv2Settlement', {
      authenticator: AUTHENTICATOR,
      domainSeparator: domainSeparator(chainId),
      vaultRelayer: RELAYER,
    }),
    accountOf(RELAYER, 'GPv2VaultRelayer', { settlement: SETTLEMENT }),
    accountOf(AUTHENTICATOR, 'GPv2AllowListAuthentication'),
    accountOf(ETH_FLOW, 'SimEthFlow', {}, slot(0n, network.wrappedNative)),
  ])
}
