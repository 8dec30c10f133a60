import type { Handler } from '../handler.ts'
import { toPartnerAccount } from '../map/partner.ts'

export const readKey: Handler<'readKey'> = async ({ context }, engine) => toPartnerAccount(await engine.account(context))
