import { move } from '../../engine/store/backup/move.ts'
import { runOnRecords } from './records.ts'

await runOnRecords('move', async (config, file) => {
  const { tables, ledger, isNew } = await move(config, file)
  const lines = [
    ...tables.map(({ table, rows }) => `${table}: ${rows}`),
    ...ledger.map(({ account, side, token, amount }) => `${account} ${side} ${amount} of ${token}`),
  ]
  const [done] = isNew ? ['Moved'] : ['Moved before, and found again:']
  return `${lines.join('\n')}\n${done} all of this from ${file}: every row was read back, and is equal`
})
