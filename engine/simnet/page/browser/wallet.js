import { bech32 } from '@scure/base'
import { Keypair, VersionedTransaction } from '@solana/web3.js'
import { createPublicClient, createWalletClient, hexToBytes, http, ripemd160, sha256 } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'

/**
 * The throw-away wallet of the page: one key on every EVM chain, one on Solana, and an address on Bitcoin, by the libraries that
 * wallets are made of. Its keys are for the offline network only, and are forgotten with the tab.
 */

const KEPT = 'offline-network-wallet'
const RECEIPT_POLL_MS = 150

/** @param {Uint8Array} bytes */
const toBase64 = (bytes) => btoa(String.fromCharCode(...bytes))
/** @param {string} text */
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** @returns {{ evm: `0x${string}`, solana: string }} */
const secrets = () => {
  const kept = sessionStorage.getItem(KEPT)
  if (kept) return JSON.parse(kept)
  const made = { evm: generatePrivateKey(), solana: toBase64(Keypair.generate().secretKey) }
  sessionStorage.setItem(KEPT, JSON.stringify(made))
  return made
}

/** Pay-to-witness-public-key-hash, version 0. @param {`0x${string}`} publicKey uncompressed */
const bitcoinAddress = (publicKey) => {
  const bytes = hexToBytes(publicKey)
  const isOdd = ((bytes[64] ?? 0) & 1) === 1
  const compressed = Uint8Array.of(isOdd ? 3 : 2, ...bytes.slice(1, 33))
  return bech32.encode('bc', [0, ...bech32.toWords(ripemd160(sha256(compressed, 'bytes'), 'bytes'))])
}

export const openWallet = () => {
  const { evm, solana } = secrets()
  const account = privateKeyToAccount(evm)
  const keypair = Keypair.fromSecretKey(fromBase64(solana))

  /** @param {number} chainId */
  const clientsOf = (chainId) => {
    const rpcUrl = `${location.origin}/rpc/${chainId}`
    const nativeCurrency = { name: 'coin', symbol: 'COIN', decimals: 18 }
    const chain = { id: chainId, name: `chain ${chainId}`, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
    const transport = http(rpcUrl)
    return {
      reader: createPublicClient({ chain, transport, pollingInterval: RECEIPT_POLL_MS }),
      writer: createWalletClient({ account, chain, transport }),
    }
  }

  return {
    evm: account.address,
    solana: keypair.publicKey.toBase58(),
    bitcoin: bitcoinAddress(account.publicKey),
    /**
     * Signs, sends, and waits for the block. Rejects where it reverts.
     * @param {{ chainId: number, to: string, data: string, value: string }} transaction
     */
    async sendEvm({ chainId, to, data, value }) {
      const { reader, writer } = clientsOf(chainId)
      const asked = { to: /** @type {`0x${string}`} */ (to), data: /** @type {`0x${string}`} */ (data), value: BigInt(value) }
      const hash = await writer.sendTransaction(asked)
      const { status } = await reader.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`transaction ${hash} reverted`)
      return hash
    },
    /** @param {any} typedData @returns {Promise<string>} */
    signTyped: (typedData) => account.signTypedData(typedData),
    /** A transaction in base64, signed and not sent. @param {string} serialized */
    signSolana(serialized) {
      const transaction = VersionedTransaction.deserialize(fromBase64(serialized))
      transaction.sign([keypair])
      return toBase64(transaction.serialize())
    },
  }
}
