import type { Approval, Client, Execution, Quote, Token } from './connect.ts'
import { inCoins, type Tell } from './printer.ts'
import type { Wallet } from './wallet.ts'

type Means = { readonly client: Pick<Client, 'submitSignature'>; readonly wallet: Wallet; readonly tell: Tell }

const approve = async (approval: Approval | undefined, token: Token, { wallet, tell }: Means): Promise<void> => {
  if (!approval) return
  const { reset, transaction, amount, spender } = approval
  // Tokens such as USDT refuse to change an allowance that is not zero.
  if (reset) tell('wallet', `allowance reset in ${await wallet.send(reset)}`)
  tell('wallet', `${inCoins(amount, token)} approved for ${spender} in ${await wallet.send(transaction)}`)
}

/**
 * Does what /execute answered, whichever venue won: the one place where a client looks at the executionType. Gives the
 * ref that the status is asked by.
 */
export const carryOut = async (execution: Execution, { quoteToken, input }: Quote, means: Means): Promise<string> => {
  const { client, wallet, tell } = means
  switch (execution.executionType) {
    case 'TRANSACTION': {
      await approve(execution.approval, input.token, means)
      const hash = await wallet.send(execution.transaction)
      tell('wallet', `TRANSACTION signed and sent in ${hash}`)
      return hash
    }
    case 'SIGNATURE': {
      await approve(execution.approval, input.token, means)
      const { typedData, approvalData } = execution
      const approvalSignature = approvalData && (await wallet.sign(approvalData))
      const signature = await wallet.sign(typedData)
      const signatures = { signature, ...(approvalSignature && { approvalSignature }) }
      const { statusRef } = await client.submitSignature({ quoteToken, ...signatures })
      tell('wallet', `SIGNATURE given for the order ${statusRef}`)
      return statusRef
    }
    case 'DEPOSIT': {
      const { deposit, statusRef } = execution
      const hash = await wallet.pay(deposit, input.token)
      tell('wallet', `DEPOSIT of ${inCoins(deposit.amount, input.token)} to ${deposit.address} in ${hash}`)
      return statusRef
    }
  }
}
