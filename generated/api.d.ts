// Generated from openapi.yaml by `npm run generate`. Do not edit.
export interface paths {
    readonly "/api/v1/chains": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * List the chains
         * @description The supported chains. The list is static and safe to cache. Use `chainId` in every other call.
         */
        readonly get: operations["chains"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Build the payload that executes a quote
         * @description Turns a quote into exactly what the caller's wallet must sign, broadcast or send. Branch on `executionType` alone.
         *     Complete `approval` first when it is present. Repeating the call with the same fields is safe: it answers with the same
         *     deposit address, typed data or transaction. A transaction that carries `submit` is never broadcast by the client: sign
         *     `transaction.serialized` and post it to `submit.url` with the `quoteToken` of this answer. Once it can no longer land and
         *     paid nothing, repeating the call answers with a fresh one, with a `statusRef` and `quoteToken` of its own. One quote takes
         *     up to eight different pairs of recipient and refund address.
         *
         *     The fee stays that of the key the quote was asked with, whoever executes it. The end of the swap is told to the key of the
         *     first call that executed it, and to the quote's where that had none.
         */
        readonly post: operations["execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/health": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Tell whether the service and its venues are well
         * @description Always answers 200, is never rate-limited and ignores `x-api-key`. Read `data.status`, not the HTTP code. The venue ids
         *     are the ones `excludeVenues` takes.
         */
        readonly get: operations["health"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/keys": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Show the settings of a key, and what it earned
         * @description The calling key's own settings and limits, and what its fees earned and were paid out, by token. Never a secret: neither
         *     the key nor what its webhooks are signed with.
         */
        readonly get: operations["readKey"];
        readonly put?: never;
        /**
         * Sign up for a key
         * @description Gives whoever asks a self-serve key: at once, and without review. The key is told in this answer alone: only a hash of it
         *     is kept. It raises the rate limit and earns the fee that its owner sets; it never opens or closes a door, and spends
         *     nothing. What is told of its owner here is for the operator to reach him, and stands in no log.
         *     Five valid signups a minute from one IPv4 address or IPv6 /64, told by `RateLimit` as `signup`.
         */
        readonly post: operations["createKey"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        /**
         * Change the settings of a key
         * @description Changes the calling key's own settings: all that is sent, or nothing. The key is the proof of ownership, so that whoever
         *     reads it in a browser may change them too: each change is an event that its owner sees, and a payout address other
         *     than the one that counts does so only after a hold (72 hours unless the operator says otherwise). Until then, setting
         *     the old one again undoes it at once. The first address of an ecosystem counts at once.
         *     An enterprise key sets `payoutAddresses` alone. Settings can be changed 50 times in 24 hours, each one that is changed counted.
         */
        readonly patch: operations["updateKey"];
        readonly trace?: never;
    };
    readonly "/api/v1/keys/events": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Read what happened to the swaps and the settings of a key
         * @description The feed of the calling key: the ends of the swaps executed with it, each with what became of its webhook, and every change
         *     of its settings. Oldest first, kept for 90 days, and never rewritten: an event that was missed is read here. A swap
         *     that goes on after its end (a refund after `swap.failed`) is told here again, and by no second webhook.
         *     Pass `next` as `after` to read on; ids have no gaps. An event stands as it was, and its `delivery` as it is now.
         */
        readonly get: operations["keyEvents"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/keys/webhook-test": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Send a test to the webhook of a key
         * @description Sends a signed `webhook.test` to the registered URL at once, in the way every webhook is sent, and tells what became of it. That
         *     event is sent for no other reason, and is not in the feed. Five a minute. Takes no body.
         */
        readonly post: operations["webhookTest"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/quote": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Quote a swap
         * @description Asks the venues and returns the best-priced route. Pass `quoteToken` to `/api/v1/execute` before `expiresAt`.
         *     When `executable` is false the quote is a preview: ask again with the missing `destinationAddress` or `refundAddress`.
         */
        readonly post: operations["quote"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Track a swap
         * @description Where the money is. Poll every few seconds until `status` is `success`, `refunded` or `failed`; keep polling at
         *     `expired`, a refund is still owed. Works after the quote has expired. For a sandbox quote any `ref` is accepted.
         */
        readonly get: operations["status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/submit-signature": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signature of a SIGNATURE execution
         * @description Hands the signature over the typed data to the venue of the quote. Poll `/api/v1/status` with the returned `statusRef`.
         */
        readonly post: operations["submitSignature"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/submit-transaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit the signed transaction of a TRANSACTION execution that carries submit
         * @description For a Solana TRANSACTION of a quote made with `broadcastViaService`. The service checks that the signed transaction still
         *     makes the payment it handed out, and sends it. Do not broadcast it yourself. Its blockhash expires about a minute after
         *     `/api/v1/execute`, so sign and post promptly. Then poll `/api/v1/status` with the `statusRef` from `/api/v1/execute`.
         *
         *     Fee payer, signers and blockhash must be those of `transaction.serialized`, and all its instructions must be there at the
         *     top level, in order and unchanged. A wallet may add, change or leave out instructions of two programs only:
         *     `ComputeBudget111111111111111111111111111111` and the guard program Lighthouse
         *     (`L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95`). A contract wallet that wraps the instructions in its own program is refused.
         *
         *     Posting the same `signedTransaction` again is always safe: it lands once at most, so a retry never pays twice. For a
         *     sandbox quote the checks run, nothing is sent, and a synthetic `txHash` is returned.
         */
        readonly post: operations["submitTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/tokens/btc-coverage": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Count the venues that serve each token from native Bitcoin
         * @description Which tokens of a chain native bitcoin can be swapped for, and at how many venues, by the lists that the venues publish. They
         *     are read in the background and kept: an old list counts rather than none. A quote says what is served now, and for how much.
         */
        readonly get: operations["btcCoverage"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/tokens/resolve": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Resolve a token by chain and address
         * @description Reads the token's metadata on-chain. Use `decimals` to turn a human amount into the smallest unit.
         */
        readonly get: operations["resolveToken"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/execute": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Build the payload that executes a quote, paid by the call
         * @description The same as `/api/v1/execute`, with the same body and the same answers, paid by the call: see "Pay per call" in the introduction.
         *     A `quoteToken` of either serves both. `submit.url` is that of the
         *     plain call; `/api/v1/x402/submit-signature` and `/api/v1/x402/submit-transaction` take the same body.
         */
        readonly post: operations["x402Execute"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/quote": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Quote a swap, paid by the call
         * @description The same as `/api/v1/quote`, with the same body and the same answers, paid by the call: see "Pay per call" in the introduction.
         *     A `quoteToken` of either serves both.
         */
        readonly post: operations["x402Quote"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/status": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        /**
         * Track a swap, paid by the call
         * @description The same as `/api/v1/status`, with the same query and the same answers, paid by the call: see "Pay per call" in the introduction.
         *     A `quoteToken` of either serves both.
         */
        readonly get: operations["x402Status"];
        readonly put?: never;
        readonly post?: never;
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/submit-signature": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit a signature, paid by the call
         * @description The same as `/api/v1/submit-signature`, with the same body and the same answers, paid by the call: see "Pay per call" in the introduction.
         *     A `quoteToken` of either serves both.
         */
        readonly post: operations["x402SubmitSignature"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
    readonly "/api/v1/x402/submit-transaction": {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly get?: never;
        readonly put?: never;
        /**
         * Submit a signed transaction, paid by the call
         * @description The same as `/api/v1/submit-transaction`, with the same body and the same answers, paid by the call: see "Pay per call" in the introduction.
         *     A `quoteToken` of either serves both.
         */
        readonly post: operations["x402SubmitTransaction"];
        readonly delete?: never;
        readonly options?: never;
        readonly head?: never;
        readonly patch?: never;
        readonly trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description A positive integer in the token's smallest unit.
         * @example 25000000
         */
        readonly Amount: string;
        /**
         * @description A non-negative integer in the smallest unit.
         * @example 0
         */
        readonly AmountOrZero: string;
        /**
         * @description Present only while the allowance is too small and no `approvalData` sets it. ERC-20 approval of exactly `amount`, never unlimited. Broadcast `reset`
         *     first when it is present, then `transaction`, and wait for both before going on.
         */
        readonly Approval: {
            readonly amount: components["schemas"]["Amount"];
            readonly reset?: components["schemas"]["ApprovalTransaction"];
            readonly spender: components["schemas"]["EvmAddress"];
            readonly token: components["schemas"]["EvmAddress"];
            readonly transaction: components["schemas"]["ApprovalTransaction"];
        };
        /** @description A transaction to sign and broadcast on the origin chain. */
        readonly ApprovalTransaction: {
            readonly chainId: components["schemas"]["ChainId"];
            /** @description Call data, 0x-prefixed hex. */
            readonly data: string;
            readonly to: components["schemas"]["EvmAddress"];
            readonly value: components["schemas"]["AmountOrZero"];
        };
        /**
         * @description proved: the payload was read back, and binds it. taken-on-trust: the payload cannot show it, and the venue's word is
         *     taken. not-applicable: nothing leaves the wallet before the swap, so that there is nothing to give back.
         * @enum {string}
         */
        readonly Assurance: "proved" | "taken-on-trust" | "not-applicable";
        /** @description What a partner's fees earned in one token. */
        readonly Balance: {
            readonly chainId: components["schemas"]["ChainId"];
            readonly earned: components["schemas"]["AmountOrZero"];
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
            readonly paid: components["schemas"]["AmountOrZero"];
            /** @description The token, or the chain's native marker. */
            readonly token: string;
        };
        /** @description How many venues can serve each token of a chain from native Bitcoin. */
        readonly BtcCoverage: {
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * @description Venues by token address, spelled as `/api/v1/tokens/resolve` spells it. A token that is not in it is in no list that was
             *     had. Empty for Bitcoin itself.
             */
            readonly coverage: {
                readonly [key: string]: number;
            };
            /**
             * @description True when the list of at least one venue was had; the counts are then no higher than the truth. False means that
             *     nothing is known, and not that nothing is covered.
             */
            readonly filtered: boolean;
        };
        /** @description The coverage, in the envelope of every success. */
        readonly BtcCoverageResponse: {
            readonly data: components["schemas"]["BtcCoverage"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description A supported chain. */
        readonly Chain: {
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * Format: uri
             * @description A public block explorer.
             */
            readonly explorerUrl: string;
            /**
             * Format: uri
             * @description Absent when the chain has no logo asset.
             */
            readonly logoUrl?: string;
            /** @description Name of the chain, for people. */
            readonly name: string;
            readonly nativeCurrency: components["schemas"]["NativeCurrency"];
            /** @description Short name of the chain. */
            readonly shortName: string;
        };
        /**
         * Format: int32
         * @description -1 is native Bitcoin, -2 is Solana, every other one an EVM chain id.
         * @enum {integer}
         */
        readonly ChainId: 1 | 10 | 56 | 130 | 137 | 324 | 480 | 999 | 143 | 8453 | 42161 | 59144 | 43114 | 4663 | -1 | -2;
        /** @description The chains, in the envelope of every success. */
        readonly ChainsResponse: {
            /** @description Every supported chain. */
            readonly data: readonly components["schemas"]["Chain"][];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The settings that were sent, as they are now. */
        readonly ChangedKey: {
            readonly feeBps?: components["schemas"]["FeeBps"];
            readonly payoutAddresses?: components["schemas"]["PayoutAddresses"];
            /** @description What webhooks are signed with. Told by the first registration alone; it cannot be read later. */
            readonly webhookSecret?: string;
            /** @description Where the ends of swaps are told. */
            readonly webhookUrl?: string;
        };
        /** @description A key, told this once. */
        readonly CreatedKey: {
            /** @description What to send as `x-api-key`. */
            readonly apiKey: string;
            /**
             * Format: int32
             * @description The fee that was sent; 0 when none was.
             */
            readonly feeBps: number;
            readonly partnerId: components["schemas"]["PartnerId"];
        };
        /** @description Who signs up. No text may hold control characters. */
        readonly CreateKeyRequest: {
            /** @description The operations it means to use. */
            readonly apisPlanned?: readonly string[];
            /** @description What the project does. */
            readonly blurb?: string;
            /** @description What kind of project it is. */
            readonly category?: string;
            /** @description The chains it is about. */
            readonly chains?: readonly string[];
            /** @description A handle or a link. */
            readonly discord?: string;
            /**
             * Format: email
             * @description Where the operator reaches the owner.
             */
            readonly email: string;
            /**
             * Format: int32
             * @description The fee on swaps quoted with the key, in basis points. Left out, it has none of its own, and a schedule of the operator's
             *     applies where there is one: a 0 that is sent rules that out.
             */
            readonly feeBps?: number;
            /** @description What the key is for. */
            readonly projectName: string;
            /** @description A handle or a link. */
            readonly telegram: string;
            /** @description A handle or a link. */
            readonly twitter: string;
            /**
             * Format: uri
             * @description Its site, with its scheme.
             */
            readonly website: string;
        };
        /** @description The new key, in the envelope of every success. */
        readonly CreateKeyResponse: {
            readonly data: components["schemas"]["CreatedKey"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description A payment to make: exactly `amount` of `token`, in its smallest unit, to `address`. `amount` may be less than `input.amount`
         *     of the quote, within its `depositAmount`.
         */
        readonly Deposit: {
            /** @description Where to send the origin asset. */
            readonly address: string;
            readonly amount: components["schemas"]["Amount"];
            readonly chainId: components["schemas"]["ChainId"];
            readonly token: components["schemas"]["Token"];
        };
        /** @description Send the origin asset to `deposit.address`, by wallet transfer or by hand. */
        readonly DepositExecution: {
            readonly deposit: components["schemas"]["Deposit"];
            /**
             * @description The single field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "DEPOSIT";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            /** @description Equals the deposit address. */
            readonly statusRef: string;
        };
        /**
         * @description Present only where the deposit may be less than `input.amount`: THORChain from Bitcoin names the swap by the last five
         *     digits of the amount, so the deposit is up to 99999 satoshi less. `output` is priced for `min`. Pay `deposit.amount` of
         *     `/api/v1/execute`, never `input.amount`.
         */
        readonly DepositRange: {
            readonly max: components["schemas"]["Amount"];
            readonly min: components["schemas"]["Amount"];
        };
        /**
         * @description What each code means is listed in the introduction. The set is closed for these operations; treat a code you do not know
         *     by the HTTP status it came with.
         * @enum {string}
         */
        readonly ErrorCode: "INVALID_REQUEST" | "UNSUPPORTED_TOKEN" | "UNSUPPORTED_CHAIN" | "NO_LIQUIDITY" | "QUOTE_EXPIRED" | "QUOTE_INVALID" | "QUOTE_NOT_EXECUTABLE" | "RATE_LIMITED" | "UNAUTHORIZED" | "NOT_CONFIGURED" | "NOT_FOUND" | "INTERNAL" | "ORDER_REJECTED" | "BUILD_FAILED";
        /** @description The envelope of every failure. */
        readonly ErrorResponse: {
            readonly error: components["schemas"]["Failure"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description 0x-prefixed address of an EVM chain, in its checksummed spelling.
         * @example 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
         */
        readonly EvmAddress: string;
        /** @description The quote to execute. */
        readonly ExecuteRequest: {
            /**
             * @description Late-bound recipient. Give it with the quote instead where you can: Across always ignores it here, and Relay does when
             *     Solana is the origin or the destination, because they fix the recipient at quote time. The answer then lists it in
             *     `ignored`. It must be an address of the output chain in any case.
             */
            readonly destinationAddress?: string;
            /** @description The token from `/api/v1/quote`, verbatim. */
            readonly quoteToken: string;
            /**
             * @description Late-bound refund recipient. Give it with the quote instead where you can: Across always ignores it here, and Relay
             *     does from Bitcoin, because they fix it at quote time. A payload that holds no input (`proof.refund` is
             *     `not-applicable`) needs no refund address. The answer then lists it in `ignored`. It must be an address of the input
             *     chain in any case.
             */
            readonly refundAddress?: string;
        };
        /** @description The payload to complete, in the envelope of every success. */
        readonly ExecuteResponse: {
            readonly data: components["schemas"]["Execution"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description What the caller's wallet must do, by `executionType`. */
        readonly Execution: components["schemas"]["TransactionExecution"] | components["schemas"]["SignatureExecution"] | components["schemas"]["DepositExecution"];
        /** @description Why the call failed. */
        readonly Failure: {
            readonly code: components["schemas"]["ErrorCode"];
            /**
             * @description Free-form. INVALID_REQUEST lists `fields: [{ path, reason }]`, RATE_LIMITED carries `retryAfterSec`, NO_LIQUIDITY
             *     lists `declines`, QUOTE_EXPIRED carries `expiresAt` or `venue` and `reason`, INTERNAL `venue`, `kind` and `retryable`
             *     where a venue is the cause, and `declines` and `retryable` where all venues of a quote are.
             */
            readonly details?: {
                readonly [key: string]: unknown;
            };
            /** @description For people; the text may change. */
            readonly message: string;
        };
        /**
         * @description The applied integrator fee, already taken off the output; `amount` is in the output token's smallest unit: as the venue
         *     tells it, and where that is less than half or more than twice the share of the output that `bps` are, that share.
         */
        readonly Fee: {
            readonly amount: components["schemas"]["AmountOrZero"];
            /**
             * Format: int32
             * @description The fee in basis points of the output (100 are 1 %).
             */
            readonly bps: number;
            readonly token: components["schemas"]["Token"];
        };
        /**
         * Format: int32
         * @description A fee in basis points of what is swapped.
         */
        readonly FeeBps: number;
        /** @description Another fee. */
        readonly FeeChange: {
            /**
             * Format: int32
             * @description The one before; null where none was set.
             */
            readonly before: number | null;
            readonly feeBps: components["schemas"]["FeeBps"];
        };
        /** @description The state of the service. */
        readonly Health: {
            /**
             * @description degraded while a venue that is asked is not healthy, the records cannot be written, none of the endpoints of a chain
             *     answers, or the process can open no more files or connections.
             * @enum {string}
             */
            readonly status: "ok" | "degraded";
            /** @description One entry per venue. */
            readonly venues: readonly components["schemas"]["VenueHealth"][];
        };
        /** @description The state of the service, in the envelope of every success. */
        readonly HealthResponse: {
            readonly data: components["schemas"]["Health"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description Fields of the request without effect, present only when there are any: the venue fixed another address with the quote, or
         *     the payload holds no input to refund. A payload that names that party uses the address of the quote. For another one, ask
         *     for a fresh quote that names it.
         */
        readonly IgnoredFields: readonly ("destinationAddress" | "refundAddress")[];
        /** @description What the owner of a key may see of himself. */
        readonly KeyAccount: {
            /** @description By token, smallest units. What is still owed is `earned` less `paid`. */
            readonly balances: readonly components["schemas"]["Balance"][];
            /**
             * Format: double
             * @description When its owner signed up, in milliseconds since 1970.
             */
            readonly createdAt: number;
            /**
             * Format: int32
             * @description The fee in basis points; null while none was ever set, and a schedule of the operator's applies where there is one.
             */
            readonly feeBps: number | null;
            readonly limits: components["schemas"]["KeyLimits"];
            readonly partnerId: components["schemas"]["PartnerId"];
            /** @description Of each ecosystem the address that counts, and the one that will after its hold. */
            readonly payoutAddresses: readonly components["schemas"]["StandingAddress"][];
            /**
             * @description Who gave the key out.
             * @enum {string}
             */
            readonly tier: "self-serve" | "enterprise";
            /** @description Where the ends of swaps are told; null while none is registered. */
            readonly webhookUrl: string | null;
        };
        /** @description A page of the feed. */
        readonly KeyEvents: {
            /** @description Oldest first. */
            readonly events: readonly components["schemas"]["PartnerEvent"][];
            /** @description Whether there is more already. */
            readonly hasMore: boolean;
            /** @description What to pass as `after` for the next page. */
            readonly next: string;
        };
        /** @description A page of the feed, in the envelope of every success. */
        readonly KeyEventsResponse: {
            readonly data: components["schemas"]["KeyEvents"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description What the key is held to. */
        readonly KeyLimits: {
            /**
             * Format: int32
             * @description What all self-serve keys used from one address share; null where there is no such limit.
             */
            readonly requestsPerAddressPerMinute: number | null;
            /**
             * Format: int32
             * @description Of all keys of its owner together. 0 where the operator lets it ask nothing.
             */
            readonly requestsPerMinute: number;
        };
        /** @description What every answer says of itself. */
        readonly Meta: {
            readonly requestId: components["schemas"]["RequestId"];
            readonly version: components["schemas"]["Version"];
        };
        /** @description A chain's native coin. */
        readonly NativeCurrency: {
            /**
             * Format: int32
             * @description Decimal places between the smallest unit and the whole coin.
             */
            readonly decimals: number;
            /** @description Name of the coin. */
            readonly name: string;
            /** @description Ticker of the coin. */
            readonly symbol: string;
        };
        /** @description Why the call was not begun. */
        readonly Overloaded: {
            readonly code: components["schemas"]["OverloadedCode"];
            /** @description When to ask again, and that it is safe. */
            readonly details: {
                /**
                 * @description Always true.
                 * @example true
                 */
                readonly retryable: boolean;
                /**
                 * Format: int32
                 * @description Seconds to wait.
                 * @example 2
                 */
                readonly retryAfterSec: number;
            };
            /** @description For people; the text may change. */
            readonly message: string;
        };
        /**
         * @description The code of a request that found no place.
         * @enum {string}
         */
        readonly OverloadedCode: "OVERLOADED";
        /** @description The envelope of a request that found no place. */
        readonly OverloadedResponse: {
            readonly error: components["schemas"]["Overloaded"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description One event of a key. Beside what all have, it carries `swap`, `fee`, `payoutAddress` or `webhook`, by its name. Take an event
         *     that you do not know for one that does not concern you.
         */
        readonly PartnerEvent: {
            /**
             * Format: double
             * @description When it was written, in milliseconds since 1970.
             */
            readonly createdAt: number;
            readonly delivery: components["schemas"]["WebhookDelivery"];
            /**
             * @description `swap.settled`, `swap.refunded` and `swap.failed`, as in webhooks; `fee.changed`, `payout-address.changed` and
             *     `webhook.changed`, which no webhook tells. Others may be added.
             */
            readonly event: string;
            readonly fee?: components["schemas"]["FeeChange"];
            /** @description Its place in the feed of this key, counted from 1. */
            readonly id: string;
            readonly payoutAddress?: components["schemas"]["PayoutAddressChange"];
            /** @description The id of the request behind it: the `/execute` of the swap, or the change of the settings. */
            readonly requestId: string;
            readonly swap?: components["schemas"]["SwapOutcome"];
            readonly webhook?: components["schemas"]["WebhookChange"];
        };
        /** @description What the owner of a key goes by. No secret. */
        readonly PartnerId: string;
        /** @description A payment of the swap, as its chain shows it. */
        readonly Payment: {
            readonly amount?: components["schemas"]["Amount"];
            readonly chainId: components["schemas"]["ChainId"];
            /** @description Whether nothing takes it back any more. A success is told before. */
            readonly final: boolean;
            /**
             * @description input: what the wallet paid in. output: the delivery to the recipient. refund: what came back to the refund address.
             *     extra: paid in beside the input, by another payment of the same address or payload.
             * @enum {string}
             */
            readonly kind: "input" | "output" | "refund" | "extra";
            /** @description The token that moved, or the chain's native marker. */
            readonly token: string;
            /** @description The transaction that made it. */
            readonly txHash: string;
        };
        /**
         * @description The codes that the paid calls alone have, and what their 503 may say besides.
         * @enum {string}
         */
        readonly PaymentErrorCode: "PAYMENT_REQUIRED" | "PAYMENT_PENDING" | "NOT_CONFIGURED";
        /** @description The envelope of a failure that is about the payment. */
        readonly PaymentErrorResponse: {
            readonly error: components["schemas"]["PaymentFailure"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description Why a paid call was not answered. */
        readonly PaymentFailure: {
            readonly code: components["schemas"]["PaymentErrorCode"];
            /** @description PAYMENT_REQUIRED carries `reason`, PAYMENT_PENDING `retryAfterSec` and `retryable`. */
            readonly details?: {
                readonly [key: string]: unknown;
            };
            /** @description For people; the text may change. */
            readonly message: string;
        };
        /** @description Why a paid call was not answered now. */
        readonly PaymentUnavailable: {
            readonly code: components["schemas"]["PaymentUnavailableCode"];
            /** @description PAYMENT_PENDING and OVERLOADED carry `retryAfterSec` and `retryable`. */
            readonly details?: {
                readonly [key: string]: unknown;
            };
            /** @description For people; the text may change. */
            readonly message: string;
        };
        /**
         * @description The codes of a paid call that can be repeated with the same payment, and of one that nobody is paid for here.
         * @enum {string}
         */
        readonly PaymentUnavailableCode: "PAYMENT_PENDING" | "NOT_CONFIGURED" | "OVERLOADED";
        /** @description The envelope of a paid call that cannot be answered now. */
        readonly PaymentUnavailableResponse: {
            readonly error: components["schemas"]["PaymentUnavailable"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description Another payout address. */
        readonly PayoutAddressChange: {
            /** @description The address. */
            readonly address: string;
            /** @description The one that was set last before, whether it counted or not; null where there was none. */
            readonly before: string | null;
            /**
             * Format: double
             * @description From when on it is paid to, in milliseconds since 1970.
             */
            readonly countsFrom: number;
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
        };
        /** @description Of each ecosystem the address that was set last. */
        readonly PayoutAddresses: {
            /** @description On EVM chains. */
            readonly evm?: string;
            /** @description On Solana. */
            readonly solana?: string;
            /** @description On THORChain. */
            readonly thorchain?: string;
        };
        /** @description Where earned balances are paid. An ecosystem that is left out keeps its address. */
        readonly PayoutAddressesRequest: {
            /** @description An address on EVM chains. Mixed case must be the right checksum. */
            readonly evm?: string;
            /** @description A wallet on Solana. */
            readonly solana?: string;
            /** @description thor1 and 38 lower-case letters and digits. */
            readonly thorchain?: string;
        };
        /**
         * @description Where an earned balance is paid: on EVM chains, on Solana, or on THORChain, which is for what is earned in native Bitcoin
         *     or taken by THORChain.
         * @enum {string}
         */
        readonly PayoutEcosystem: "evm" | "solana" | "thorchain";
        /**
         * @description What the service can prove of a payload before a wallet acts on it: that the output goes to the recipient, that it is no
         *     less than the guaranteed minimum, and that a refund comes back to the refund address. From Bitcoin, Relay sends its deposit
         *     address unsigned: the address itself is taken on trust there, and all three parts are `taken-on-trust`.
         */
        readonly Proof: {
            readonly minimum: components["schemas"]["Assurance"];
            readonly recipient: components["schemas"]["Assurance"];
            readonly refund: components["schemas"]["Assurance"];
        };
        /** @description The best offer, sealed. */
        readonly Quote: {
            readonly approval?: components["schemas"]["Approval"];
            readonly depositAmount?: components["schemas"]["DepositRange"];
            /** @description True when the venue reported no time and the service guessed it. */
            readonly estimatedTimeIsGuess: boolean;
            /**
             * Format: double
             * @description How long the venue expects the swap to take, from the payment to the delivery.
             */
            readonly estimatedTimeSeconds: number;
            /** @description False means preview only, priced against a placeholder address. */
            readonly executable: boolean;
            readonly expectedProof: components["schemas"]["Proof"];
            /**
             * Format: double
             * @description When the quote expires: milliseconds since 1970 in UTC, without a fraction. `/api/v1/execute` takes it until then.
             * @example 1795000060000
             */
            readonly expiresAt: number;
            readonly fee: components["schemas"]["Fee"];
            /**
             * Gas
             * @description The native coins the user must hold for the transaction itself: the network's fee and `venueFee`. Null where none are
             *     needed (a signature), and where the fee price cannot be read.
             */
            readonly gas: {
                /** @description True when the venue reported no gas and the service estimated it. */
                readonly estimated: boolean;
                readonly native: components["schemas"]["AmountOrZero"];
                /** @description Ticker of the origin chain's native coin. */
                readonly nativeSymbol: string;
                /**
                 * @description The same in US dollars, a decimal number. Null when no price is known.
                 * @example 0.42
                 */
                readonly usd: string | null;
            } | null;
            readonly input: components["schemas"]["TokenAmount"];
            readonly output: components["schemas"]["TokenAmount"];
            /** @description Opaque and signed. Pass it on verbatim; never parse it. */
            readonly quoteToken: string;
            readonly routeType: components["schemas"]["RouteType"];
            /**
             * Slippage
             * @description Null only on a preview, whose venue tells no bound before it knows the addresses. `guaranteedMin` is in the output
             *     token's smallest unit.
             */
            readonly slippage: {
                /**
                 * Format: int32
                 * @description How far `guaranteedMin` lies below the quoted output, in basis points (100 are 1 %), rounded up.
                 */
                readonly bps: number;
                readonly guaranteedMin: components["schemas"]["Amount"];
                /**
                 * @description True when the minimum is enforced, by a contract or by the venue's signed word: `guaranteedMin` or more arrives, or
                 *     the swap does not take place. What arrives may still be less than the quoted output.
                 */
                readonly isFirm: boolean;
            } | null;
            readonly venue: components["schemas"]["VenueRef"];
            /**
             * VenueFee
             * @description What the venue takes beside the input, in the origin chain's native coin. Part of `gas.native` and of the transaction's
             *     `value`; offers are ranked by what is left after it. Null when there is none, as with most venues.
             */
            readonly venueFee: {
                readonly native: components["schemas"]["Amount"];
                /** @description Ticker of the origin chain's native coin. */
                readonly nativeSymbol: string;
            } | null;
        };
        /**
         * @description `inputChainId` is the origin chain and `outputChainId` the destination chain; `inputAmount` is in the input token's
         *     smallest unit.
         */
        readonly QuoteRequest: {
            /**
             * @description Have the service broadcast a Solana TRANSACTION: `/api/v1/execute` then answers with `submit.url`
             *     `/api/v1/submit-transaction`. It changes nothing for any other execution. Left out, it is false.
             */
            readonly broadcastViaService?: boolean;
            /**
             * @description Recipient on the destination chain; `userAddress` when it is left out and can receive there. Required for
             *     cross-ecosystem swaps. Give it with the quote. Across always fixes the recipient at quote time, and Relay does when
             *     Solana is the origin or the destination: they ignore what `/api/v1/execute` names later, and without it a
             *     cross-ecosystem quote of theirs is a preview (`executable: false`). The other venues take it at `/api/v1/execute` too.
             */
            readonly destinationAddress?: string;
            /** @description Venues left out of the race, by the ids that `/api/v1/health` reports. An unknown id is refused. */
            readonly excludeVenues?: readonly string[];
            readonly inputAmount: components["schemas"]["Amount"];
            readonly inputChainId: components["schemas"]["ChainId"];
            /** @description Contract address or mint, or the native sentinel. */
            readonly inputToken: string;
            readonly outputChainId: components["schemas"]["ChainId"];
            /** @description Contract address or mint, or the native sentinel. */
            readonly outputToken: string;
            readonly rankingMode?: components["schemas"]["RankingMode"];
            /**
             * @description Where the input asset is refunded if the swap fails; `userAddress` when it is left out. Give it with the quote. Across
             *     always fixes it at quote time, and Relay does from Bitcoin, where without it the quote is a preview
             *     (`executable: false`): they ignore what `/api/v1/execute` names later. The other venues take it at `/api/v1/execute` too.
             */
            readonly refundAddress?: string;
            /** @description Price live, simulate everything after. The flag travels inside the quoteToken. Left out, it is false. */
            readonly sandbox?: boolean;
            /**
             * Format: int32
             * @description How much less than the quoted output is acceptable, in basis points (100 are 1 %). Left out, the default of the
             *     venue that wins holds, at most 300 unless the operator says otherwise. Venues round: the guaranteed minimum may lie
             *     one basis point and two smallest units further below, and `slippage.bps`, itself rounded up, then reads more than
             *     was asked for.
             */
            readonly slippageBps?: number;
            /** @description The sender's address on the origin chain. */
            readonly userAddress: string;
        };
        /** @description The quote, in the envelope of every success. */
        readonly QuoteResponse: {
            readonly data: components["schemas"]["Quote"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description best_output ranks by net output, fastest by estimated time. Left out, it is best_output.
         * @enum {string}
         */
        readonly RankingMode: "best_output" | "fastest";
        /** @description The settings, in the envelope of every success. */
        readonly ReadKeyResponse: {
            readonly data: components["schemas"]["KeyAccount"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description Id of the request, the same as the header `x-request-id`.
         * @example 0f8a4c1e-6b0d-4a57-9d52-2f6f1f0c7a11
         */
        readonly RequestId: string;
        /** @description The token that was asked for. */
        readonly ResolvedToken: {
            readonly token: components["schemas"]["Token"];
        };
        /** @description The token, in the envelope of every success. */
        readonly ResolveTokenResponse: {
            readonly data: components["schemas"]["ResolvedToken"];
            readonly meta: components["schemas"]["Meta"];
        };
        /**
         * @description What kind of way the swap takes. NATIVE_BITCOIN: Bitcoin is one of the two ends. CROSS_ECOSYSTEM: between an EVM chain and
         *     Solana.
         * @enum {string}
         */
        readonly RouteType: "EVM_SAME_CHAIN" | "SOLANA_SAME_CHAIN" | "EVM_CROSS_CHAIN" | "CROSS_ECOSYSTEM" | "NATIVE_BITCOIN";
        /** @description Sign `typedData`, and `approvalData` when present, then post the signatures to `submit.url`. */
        readonly SignatureExecution: {
            readonly approval?: components["schemas"]["Approval"];
            readonly approvalData?: components["schemas"]["TypedData"];
            /**
             * @description The single field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "SIGNATURE";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            readonly submit: components["schemas"]["SubmitTarget"];
            readonly typedData: components["schemas"]["TypedData"];
        };
        /** @description A payout address that counts, or that will. */
        readonly StandingAddress: {
            /** @description The address. */
            readonly address: string;
            /** @description Whether it is the one that is paid to now. */
            readonly counts: boolean;
            /**
             * Format: double
             * @description From when on it is paid to, in milliseconds since 1970.
             */
            readonly countsFrom: number;
            readonly ecosystem: components["schemas"]["PayoutEcosystem"];
        };
        /** @description The state of the swap, in the envelope of every success. */
        readonly StatusResponse: {
            readonly data: components["schemas"]["SwapStatus"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The quote and the signatures its execution asked for. */
        readonly SubmitSignatureRequest: {
            /** @description Hex signature over `approvalData`. Required when `/api/v1/execute` returned it, refused otherwise. */
            readonly approvalSignature?: string;
            /** @description The token from `/api/v1/quote`, verbatim. */
            readonly quoteToken: string;
            /** @description Hex signature over `typedData`; 65 bytes from an ordinary account, longer from a contract wallet. */
            readonly signature: string;
        };
        /** @description What the swap goes by, in the envelope of every success. */
        readonly SubmitSignatureResponse: {
            readonly data: components["schemas"]["SubmittedSignature"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description Where the signatures go. */
        readonly SubmitTarget: {
            /** @description Fields to post along with the signature, where there are any. */
            readonly payload?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description Where to post the signed result.
             * @enum {string}
             */
            readonly url: "/api/v1/submit-signature";
        };
        /** @description The venue has the order. */
        readonly SubmittedSignature: {
            /** @description What to poll `/api/v1/status` with. */
            readonly statusRef: string;
            readonly venue: components["schemas"]["VenueId"];
        };
        /** @description The transaction was sent. */
        readonly SubmittedTransaction: {
            /** @description The Solana transaction signature, base58. */
            readonly txHash: string;
        };
        /** @description The transaction that was signed, and the quote it belongs to. */
        readonly SubmitTransactionRequest: {
            /** @description The token from the `/api/v1/execute` response that carried `submit`, verbatim. */
            readonly quoteToken: string;
            /** @description `transaction.serialized` after the wallet signed it, as text in base64 (standard alphabet, padded). */
            readonly signedTransaction: string;
        };
        /** @description The hash of the transaction, in the envelope of every success. */
        readonly SubmitTransactionResponse: {
            readonly data: components["schemas"]["SubmittedTransaction"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description How a swap ended, as in the webhook. */
        readonly SwapOutcome: {
            /**
             * @description What was seen to arrive, in the smallest unit of the output token; null for other ends than a delivery, and where it is
             *     not known.
             */
            readonly deliveredOut: string | null;
            /**
             * Format: int32
             * @description By how much less than was quoted that is, in basis points, rounded up; 0 where it is not less, null with `deliveredOut`.
             */
            readonly slippageBps: number | null;
            /** @description Id of the venue that carried the swap out. */
            readonly venue: string;
        };
        /**
         * @description pending: awaiting the deposit, or not yet observed. processing: funds received, a solver is filling. success: delivered.
         *     expired: the fill deadline passed and a refund is owed but not yet issued; keep polling. refunded: returned to the sender.
         *     failed: nothing was paid and nothing can be any more, or the transaction asked about failed; a payment after all, or
         *     another transaction of the same payload, has its own end. not_found: the ref is unknown to the venue, and was
         *     neither handed out nor seen to pay the swap. unknown: the venue is not yet wired for tracking.
         * @enum {string}
         */
        readonly SwapState: "pending" | "processing" | "success" | "expired" | "refunded" | "failed" | "not_found" | "unknown";
        /** @description Where the money is. */
        readonly SwapStatus: {
            readonly deliveredAmount?: components["schemas"]["Amount"];
            /**
             * @description What the service saw of the swap's money on the chains, in the order it was seen. Where one transaction paid several
             *     executions of the quote, of all of them. Absent where it saw none, or where it takes its venues at their word.
             */
            readonly payments?: readonly components["schemas"]["Payment"][];
            readonly status: components["schemas"]["SwapState"];
            /**
             * @description Present instead of venueStatus when the venue has no live tracker yet.
             * @enum {string}
             */
            readonly tracking?: "unavailable";
            /**
             * @description The transaction that delivered (`success`, on the destination chain) or refunded (`refunded`, on the origin chain);
             *     made up for a sandbox quote. Absent until there is one.
             */
            readonly txHash?: string;
            readonly venue: components["schemas"]["VenueId"];
            /** @description The venue's own status, for debugging. Absent when tracking is unavailable. */
            readonly venueStatus?: string;
        };
        /** @description A token as its chain describes it. */
        readonly Token: {
            /** @description Contract address or mint, or the native sentinel. */
            readonly address: string;
            readonly chainId: components["schemas"]["ChainId"];
            /**
             * Format: int32
             * @description Decimal places between the smallest unit and the whole token.
             */
            readonly decimals: number;
            /** @description True for the chain's native coin. */
            readonly isNative: boolean;
            /** @description The token's own name. */
            readonly name: string;
            /** @description The token's own ticker. Anybody may deploy a token of any ticker; only the address tells tokens apart. */
            readonly symbol: string;
        };
        /** @description A token and how much of it. As `input` what the user pays, as `output` what is expected to arrive, net of fees. */
        readonly TokenAmount: {
            readonly amount: components["schemas"]["Amount"];
            readonly token: components["schemas"]["Token"];
        };
        /**
         * @description A raw transaction. On an EVM chain sign `{ to, data, value, chainId }`; on Solana sign `serialized`, of which `data` is a
         *     copy.
         */
        readonly Transaction: {
            readonly chainId: components["schemas"]["ChainId"];
            /** @description 0x-prefixed hex on an EVM chain; base64 on Solana, the same as `serialized`. */
            readonly data: string;
            /** @description On Solana only, the transaction to sign, as text in base64 (standard alphabet, padded). */
            readonly serialized?: string;
            /** @description The contract to call; on Solana the program or the account that is paid. */
            readonly to: string;
            readonly value: components["schemas"]["AmountOrZero"];
        };
        /**
         * @description Sign and broadcast `transaction`, after `approval` when that is present. With `submit`, sign `transaction.serialized` without
         *     broadcasting it and post it to `submit.url` together with this `quoteToken`.
         */
        readonly TransactionExecution: {
            readonly approval?: components["schemas"]["Approval"];
            /**
             * @description The single field to branch on. (enum property replaced by openapi-typescript)
             * @enum {string}
             */
            readonly executionType: "TRANSACTION";
            readonly ignored?: components["schemas"]["IgnoredFields"];
            readonly proof: components["schemas"]["Proof"];
            /** @description Present with `submit`. The token to post the signed transaction with; not the one from `/api/v1/quote`. */
            readonly quoteToken?: string;
            /** @description Present with `submit`. What to poll `/api/v1/status` with. */
            readonly statusRef?: string;
            readonly submit?: components["schemas"]["TransactionTarget"];
            readonly transaction: components["schemas"]["Transaction"];
        };
        /** @description Where the signed transaction goes. Present only when the service broadcasts it. */
        readonly TransactionTarget: {
            /**
             * @description Where to post the signed transaction.
             * @enum {string}
             */
            readonly url: "/api/v1/submit-transaction";
        };
        /**
         * @description An EIP-712 payload as viem and ethers take it. For a raw eth_signTypedData_v4 add `EIP712Domain` to `types`, from the
         *     fields of `domain`.
         */
        readonly TypedData: {
            readonly domain: components["schemas"]["TypedDataDomain"];
            /** @description The values of `primaryType`. Integers are decimal strings, or numbers where they are small. */
            readonly message: {
                readonly [key: string]: unknown;
            };
            /** @description The struct of `types` that is signed. */
            readonly primaryType: string;
            /** @description The fields of every struct, by the struct's name. */
            readonly types: {
                readonly [key: string]: readonly components["schemas"]["TypedDataField"][];
            };
        };
        /** @description The EIP-712 domain. Only the fields that are there belong to it. */
        readonly TypedDataDomain: {
            /**
             * Format: int32
             * @description The EVM chain the signature is for.
             */
            readonly chainId?: number;
            /** @description Name of the signing domain. */
            readonly name?: string;
            /** @description 32 bytes that tell the domain apart, 0x-prefixed hex. */
            readonly salt?: string;
            readonly verifyingContract?: components["schemas"]["EvmAddress"];
            /** @description Version of the signing domain. */
            readonly version?: string;
        };
        /** @description One field of an EIP-712 struct. */
        readonly TypedDataField: {
            /** @description Name of the field. */
            readonly name: string;
            /** @description EIP-712 type of the field: an atomic type, a struct of `types`, or a list of either. */
            readonly type: string;
        };
        /** @description What to change. At least one field. */
        readonly UpdateKeyRequest: {
            /**
             * Format: int32
             * @description The fee on swaps quoted with the key from now on, in basis points.
             */
            readonly feeBps?: number;
            readonly payoutAddresses?: components["schemas"]["PayoutAddressesRequest"];
            /**
             * @description Where the ends of swaps executed with the key are told: https, without user name and password. A private IP address is
             *     refused here; a name that leads to one gets no delivery.
             */
            readonly webhookUrl?: string;
        };
        /** @description What was changed, in the envelope of every success. */
        readonly UpdateKeyResponse: {
            readonly data: components["schemas"]["ChangedKey"];
            readonly meta: components["schemas"]["Meta"];
        };
        /** @description The state of one venue. */
        readonly VenueHealth: {
            /** @description The kinds of calls that fail: `quote`, `execute`, `submit` or `status`; others may be added. Left out where none does. */
            readonly failing?: readonly string[];
            /** @description False while the last calls of the venue failed, or while it lacks the key without which it is not asked. */
            readonly healthy: boolean;
            readonly id: components["schemas"]["VenueId"];
            /** @description Name of the venue, for people. */
            readonly name: string;
            /**
             * @description Why it is not asked at all; left out while it is. `keyMissing`: it answers nobody without a key, and the service has
             *     none. Other reasons may be added.
             */
            readonly off?: string;
            /**
             * @description Why it is not healthy; left out while it is, and while it is off. `failing`: it did not answer, or not as it should.
             *     `keyRefused`: it does not accept the service's key.
             * @enum {string}
             */
            readonly reason?: "failing" | "keyRefused";
            /**
             * @description Calls of which a check of the service rejects every recent answer of the venue. Left out where there are none. A venue
             *     whose answers are rejected on one chain alone stays healthy.
             */
            readonly rejecting?: readonly components["schemas"]["VenueRejecting"][];
        };
        /**
         * @description Id of a venue as reported by `/api/v1/health`.
         * @example across
         */
        readonly VenueId: string;
        /** @description The winning venue. */
        readonly VenueRef: {
            readonly id: components["schemas"]["VenueId"];
            /** @description Name of the venue, for people. */
            readonly name: string;
        };
        /** @description A check that rejects every recent answer of a venue to one kind of call. */
        readonly VenueRejecting: {
            /** @description The kind of call. `quote`, `execute` or `status`; others may be added. */
            readonly call: string;
            /**
             * Format: int32
             * @description The chain that all rejected swaps have in common. Left out where there is none.
             */
            readonly chainId?: number;
            /** @description Id of the check. The operator finds it in the log, in the metrics and in the runbook. */
            readonly check: string;
        };
        /**
         * @description Year and month of the service's version.
         * @example 2026-11
         */
        readonly Version: string;
        /** @description Another target of webhooks. */
        readonly WebhookChange: {
            /** @description The one before; null where there was none. */
            readonly before: string | null;
            /** @description The target. */
            readonly webhookUrl: string;
        };
        /** @description What became of the webhook of an event. */
        readonly WebhookDelivery: {
            /**
             * Format: double
             * @description When it was tried, in milliseconds since 1970; null until then.
             */
            readonly attemptedAt: number | null;
            /**
             * @description Why there was no answer; null otherwise. `noPublicAddress`: the name has no address, or one that is not public;
             *     `unreachable`: no connection, or closed without an answer; `certificateRefused`: the target could not prove its name;
             *     `timeout`: longer than ten seconds in all; `unreadable`: what it says is no TLS or no HTTP; `noWebhook`: none was registered
             *     any more; `noSecret`: the service could not read the secret, and sent nothing unsigned. Others may be added.
             */
            readonly failure: string | null;
            /**
             * Format: int32
             * @description The status of the target's answer; null where there was none.
             */
            readonly httpStatus: number | null;
            /**
             * @description `none`: nobody was to be told; `due`: not tried yet; `started`: tried, and nobody knows what came of it, because the service
             *     was stopped meanwhile; `answered`: with `httpStatus`, whichever it is; `failed`: without an answer, see `failure`.
             *     What was tried is never tried again.
             * @enum {string}
             */
            readonly state: "none" | "due" | "started" | "answered" | "failed";
        };
        /**
         * @description The body of every webhook, sent as JSON with the header `x-service-signature: sha256=<hex>`, which is the HMAC-SHA256 of
         *     the raw bytes keyed by the key's `webhookSecret`. Verify it over the bytes received, before parsing, in constant time.
         *     `swap.settled`: the swap was delivered; `swap.refunded`: it came back; `swap.failed`: it failed; `webhook.test`: its owner
         *     asked for it. Sent once, without redirects, within ten seconds, and never repeated.
         */
        readonly WebhookEvent: {
            /**
             * @description What was seen to arrive, in the smallest unit of the output token; null for other ends than a delivery, and where it is
             *     not known.
             */
            readonly deliveredOut: string | null;
            /**
             * @description What happened.
             * @enum {string}
             */
            readonly event: "swap.settled" | "swap.refunded" | "swap.failed" | "webhook.test";
            readonly partnerId: components["schemas"]["PartnerId"];
            /** @description The id of the `/execute` request that opened the swap; of the test, its own. */
            readonly requestId: string;
            /**
             * Format: int32
             * @description By how much less than was quoted that is, in basis points, rounded up; 0 where it is not less, null with `deliveredOut`.
             */
            readonly slippageBps: number | null;
            /**
             * Format: double
             * @description When it was sent, in milliseconds since 1970.
             */
            readonly ts: number;
            /** @description Id of the venue that carried the swap out. */
            readonly venue: string;
        };
        /** @description A test of a webhook. */
        readonly WebhookTest: {
            readonly delivery: components["schemas"]["WebhookDelivery"];
            readonly sent: components["schemas"]["WebhookEvent"];
        };
        /** @description What became of a test, in the envelope of every success. */
        readonly WebhookTestResponse: {
            readonly data: components["schemas"]["WebhookTest"];
            readonly meta: components["schemas"]["Meta"];
        };
    };
    responses: {
        /** @description The body is over 64 KB. Send only the documented fields. */
        readonly BodyTooLarge: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimitIfTold"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Unexpected or venue-side error; of a venue's, `details` is `{ venue, kind, retryable }`. Repeat the request after a pause,
         *     unless `retryable` is false; report `meta.requestId` when it happens again.
         */
        readonly Internal: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimitIfTold"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description There is no `x-api-key`, and without one nobody knows whose settings are meant; or it is not known. The try is charged
         *     to the caller's address.
         */
        readonly KeyRequired: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description The body is not JSON. Send the header `content-type: application/json`. */
        readonly NotJson: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description Too much is under way, or too many connections of one address are open. Nothing was done: wait `Retry-After` seconds
         *     (`details.retryAfterSec`) and repeat the same request. It counted against no limit, unless it waited for `100 Continue`.
         */
        readonly Overloaded: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimitIfTold"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["OverloadedResponse"];
            };
        };
        /**
         * @description `PAYMENT_PENDING`: whether the payment was settled is not known yet, or nobody can settle one now. Wait `Retry-After`
         *     seconds (`details.retryAfterSec`) and repeat the same request with the same payment: it is charged once at most, and has
         *     its answer then. `OVERLOADED`: too much is under way, and nothing was verified or charged; repeat it in the same way.
         *     `NOT_CONFIGURED`: this installation takes no payments; use the plain path.
         */
        readonly PaymentPending: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimitIfTold"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                readonly "Retry-After": components["headers"]["RetryAfterIfTold"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PaymentUnavailableResponse"];
            };
        };
        /**
         * @description There is no payment, or it was not taken: `details.reason` says why. Nothing was charged. Sign one of the ways to pay in
         *     the header `PAYMENT-REQUIRED`, and repeat the request with it as `PAYMENT-SIGNATURE`. Reasons: `noPayment`, `malformed`,
         *     `notAccepted` (another network, asset, amount or recipient), `notValidNow`, `badSignature`, `noFunds`, `spent` (used up, or
         *     bound to another request), `refused`; later versions may add some.
         */
        readonly PaymentRequired: {
            headers: {
                readonly "PAYMENT-REQUIRED": components["headers"]["PaymentRequired"];
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["PaymentErrorResponse"];
            };
        };
        /**
         * @description The limit of the caller's tier is used up. Wait `Retry-After` seconds (`details.retryAfterSec`), then repeat the request;
         *     an API key raises the limit.
         */
        readonly RateLimited: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "Retry-After": components["headers"]["RetryAfter"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /**
         * @description The `x-api-key` is not known. Correct it, or leave the header out: every operation works without a key. The try is
         *     charged to the caller's address.
         */
        readonly Unauthorized: {
            headers: {
                readonly RateLimit: components["headers"]["RateLimit"];
                readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                readonly "service-version": components["headers"]["ServiceVersion"];
                readonly "x-request-id": components["headers"]["RequestId"];
                readonly [name: string]: unknown;
            };
            content: {
                readonly "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /**
         * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
         *     answer is 402.
         * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
         */
        readonly PaymentSignature: string;
        /**
         * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
         *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
         * @example checkout-81c2e1
         */
        readonly RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description What to pay, to whom and how, for the x402 client: `PaymentRequired` of x402 version 2, as JSON in base64. */
        readonly PaymentRequired: string;
        /** @description What was paid: `SettleResponse` of x402 version 2, as JSON in base64, with the transaction on the chain. */
        readonly PaymentResponse: string;
        /** @description What is left of the limit: `r` requests, until it resets in `t` seconds. */
        readonly RateLimit: string;
        /**
         * @description What is left of the limit: `r` requests, until it resets in `t` seconds. Left out where the caller was not looked at, and
         *     where caches may share the answer.
         */
        readonly RateLimitIfTold: string;
        /** @description The limit of the caller's tier: `q` requests in `w` seconds. */
        readonly RateLimitPolicy: string;
        /** @description The limit of the caller's tier: `q` requests in `w` seconds. Left out together with `RateLimit`. */
        readonly RateLimitPolicyIfTold: string;
        /** @description Id of this request, the same as `meta.requestId`. Quote it when reporting a problem. */
        readonly RequestId: components["schemas"]["RequestId"];
        /** @description Seconds to wait before the next request, the same as `details.retryAfterSec`. */
        readonly RetryAfter: number;
        /** @description Seconds to wait before the next request, the same as `details.retryAfterSec`, where there is one. */
        readonly RetryAfterIfTold: number;
        /** @description Version label of the service, the same as `meta.version`. */
        readonly ServiceVersion: components["schemas"]["Version"];
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly chains: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description Every supported chain. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ChainsResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        readonly responses: {
            /**
             * @description The payload to complete. `TRANSACTION`: sign, broadcast, then poll `/api/v1/status` with the transaction hash as `ref`;
             *     when it carries `submit`, sign without broadcasting, post to `submit.url`, then poll with `statusRef`.
             *     `SIGNATURE`: sign `typedData` (and `approvalData`), then post to `submit.url`. `DEPOSIT`: send exactly
             *     `deposit.amount` of `deposit.token` to `deposit.address`, then poll with `statusRef`.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExecuteResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: correct the fields named in `details.fields`, for example add the `destinationAddress` a
             *     cross-ecosystem swap needs; a ninth pair of addresses is refused, naming the new ones: ask for a fresh quote.
             *     `QUOTE_INVALID`: the token is malformed or was changed; send the one from `/api/v1/quote` verbatim, or ask for a fresh
             *     quote.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description The quote is past its `expiresAt`, which `details.expiresAt` repeats, or its price can no longer be had:
             *     `details.venue` and `details.reason` then say of whom and why. `priceMoved`: the venue now guarantees less than the
             *     quote did. `venueDisabled`: the operator has switched the venue off. `unsupportedPair`, `amountTooSmall`,
             *     `amountTooLarge`, `noLiquidity`: the venue now declines. `sameAsAnotherSwap`: another swap of the same second says the
             *     same in all, and its payment could be taken for this one's. `deadlinePassed`: what was built before can no longer be
             *     used. Nothing was handed out. Ask for a fresh quote and execute that one.
             */
            readonly 410: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The quote is a preview (`executable` is false). Ask for a fresh quote with the missing `destinationAddress` or
             *     `refundAddress`; it cannot be added to this one.
             */
            readonly 422: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /**
             * @description Nothing was handed out that could be signed. Either the venue failed, or its payload did not match the quote
             *     (`details.reason` is `payloadMismatch`) or was given to another swap before (`reusedReference`), or the quote is a sandbox
             *     one of a venue that has no sandbox (the message names it). Where `details.retryable` is true, repeat the call; else ask
             *     for a fresh quote, with `details.venue` in `excludeVenues`. A payload that was handed out before and no longer proves to
             *     be what was quoted is not shown again: whoever has paid by it follows the swap with `details.statusRef`, where there is
             *     one. Report `meta.requestId` when it happens again.
             */
            readonly 500: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description Nothing was built. Solana tried the payment and it would fail: `details.reason` is `insufficientFunds` when the wallet
             *     lacks the amount or SOL for fees, else `failed`, and `details.transactionError` is what the chain says. Fund the wallet
             *     and execute the same quote again while it lasts, or ask for a fresh quote.
             */
            readonly 502: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly health: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state of the service. While it is `degraded` the healthy venues still quote. */
            readonly 200: {
                headers: {
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["HealthResponse"];
                };
            };
        };
    };
    readonly readKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The settings as they stand. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ReadKeyResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly createKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateKeyRequest"];
            };
        };
        readonly responses: {
            /** @description The key. Keep it; nobody can tell it again. Change its settings with `PATCH /api/v1/keys`. */
            readonly 201: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["CreateKeyResponse"];
                };
            };
            /** @description A field cannot be taken. Correct those named in `details.fields`; nothing was made. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The limit of the caller's tier is used up, or that of signups from this address. Wait `Retry-After` seconds
             *     (`details.retryAfterSec`), then repeat the request.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly updateKey: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["UpdateKeyRequest"];
            };
        };
        readonly responses: {
            /**
             * @description What was set. `payoutAddresses`, when some were sent, are those of every ecosystem, as they were set last: whether
             *     they count yet, `GET /api/v1/keys` tells. `webhookSecret` is in the answer to the first registration of a webhook
             *     alone, and stays the same for another URL.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["UpdateKeyResponse"];
                };
            };
            /** @description A field cannot be taken, or none is there to change. Correct those named in `details.fields`; nothing was changed. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            /** @description An enterprise key has no `feeBps` or `webhookUrl` of its own to set. Nothing was changed; leave the field out. */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The limit of the caller's tier is used up, or the settings were changed 50 times in the last 24 hours: nothing was changed. Wait
             *     `Retry-After` seconds (`details.retryAfterSec`), then repeat the request. Setting back a payout address that still
             *     counts is not refused for that.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly keyEvents: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `id` of the last event that was read, or `next` of the page before. Left out, the feed is read from its start.
                 * @example 17
                 */
                readonly after?: string;
                /**
                 * @description How many events at most. 100 when it is left out.
                 * @example 50
                 */
                readonly limit?: number;
            };
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The events after that one. An empty page is no end of the feed; ask again later with the same `next`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["KeyEventsResponse"];
                };
            };
            /** @description Correct the parameters named in `details.fields`. */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly webhookTest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description What was sent, and what became of it: `delivery.state` is `answered` when the target answered at all. Take `httpStatus` 2xx
             *     for success, as a webhook has none other.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookTestResponse"];
                };
            };
            readonly 401: components["responses"]["KeyRequired"];
            /** @description There is no webhook. Register one with `PATCH /api/v1/keys`; an enterprise key has none. */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description The limit of the caller's tier is used up, or that of tests, told by `RateLimit` as `webhook-test`. Wait `Retry-After`
             *     seconds (`details.retryAfterSec`), then repeat the request.
             */
            readonly 429: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "Retry-After": components["headers"]["RetryAfter"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly quote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        readonly responses: {
            /** @description The best route. Execute it before `expiresAt`, or ask again. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            /**
             * @description The request cannot be quoted as it stands. `INVALID_REQUEST`: correct the fields named in `details.fields`.
             *     `UNSUPPORTED_TOKEN`: check the address with `/api/v1/tokens/resolve`. `UNSUPPORTED_CHAIN`: choose a chain from
             *     `/api/v1/chains`. Repeating the same request gives the same answer.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description No venue can serve the pair or amount: at least one declines, or none fails. `details.declines` has one entry per venue
             *     asked: `{ venue, kind, check?, minimum?, maximum?, reason?, retryable }`, amounts in the input token's smallest unit. Kinds:
             *     unsupportedPair, amountTooSmall, amountTooLarge, noLiquidity, badRequest, rateLimited, unavailable, timeout,
             *     badResponse, rejected, notAwaited. `rejected`: the venue answered, and a check of this service refuses the answer; `check`
             *     is its id, such as `relay.router`. `notAwaited`: another venue's offer, which was not believed in the end, had decided
             *     the race. Reason `boundTooWide`: the venue guarantees too much less than it expects to deliver; allow more
             *     `slippageBps`. Reason `senderCannotSign`: the venue takes a signature that the code of the sender's account cannot give.
             *     Reason `notSold`: a limit of this service, such as a swap before a bridge that no two price lists compare. Try an amount
             *     within `minimum` and `maximum`, repeat later when a decline is `retryable`, or choose
             *     another pair.
             */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            /**
             * @description Unexpected or venue-side error. Where every venue that could serve the route fails now, and none declines,
             *     `details.retryable` is true and `details.declines` has one entry per venue, as with 404. Repeat the request after a pause,
             *     unless `retryable` is false; report `meta.requestId` when it happens again.
             */
            readonly 500: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly status: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The token from `/api/v1/quote`, or the one that came with `submit`, verbatim.
                 * @example eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMSJ9..Jm8nZkqjW2rT5u0x.rV3pYb1sQ0c8mK4hD7tXwA2nLzE6fGiUoRjPqSvByNkCdMhTgFaWeIxOlZuJ5H9.4nE2bVxT8qWcYpLmRkJfZA
                 */
                readonly quoteToken: string;
                /**
                 * @description DEPOSIT: the deposit address, which is the `statusRef` from `/api/v1/execute`. SIGNATURE: the `statusRef` from
                 *     `/api/v1/submit-signature`. TRANSACTION: the transaction hash; when the service broadcasts it, the `statusRef` from
                 *     `/api/v1/execute`, or the `txHash` once it was posted. Those have 1 to 512 characters. For a sandbox quote it is any
                 *     text that fits into a URL.
                 * @example 0x3b1f0a9c7de2465581c4be20f97d63a8150ce4f2b8a97d361e05cf8421ba76d9
                 */
                readonly ref: string;
            };
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The state of the swap. `success`, `refunded` and `failed` end it; poll again for every other one. `unknown` with
             *     `tracking: unavailable` means the venue has no live tracker yet: follow the transaction in a block explorer.
             */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StatusResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: send both `quoteToken` and `ref`, and nothing else. `QUOTE_INVALID`: send the token from
             *     `/api/v1/quote` verbatim.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly submitSignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitSignatureRequest"];
            };
        };
        readonly responses: {
            /** @description The venue has the order. Poll `/api/v1/status` with `statusRef` as `ref`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitSignatureResponse"];
                };
            };
            /**
             * @description Nothing was forwarded. `INVALID_REQUEST`: correct the fields named in `details.fields`; a quote whose venue takes no
             *     signatures is named by `quoteToken`, follow its `executionType` instead. A `signature` by the sender's key is refused where the
             *     sender's account has code (EIP-7702) whose `isValidSignature` does not accept it, and the contract of the order asks it: request
             *     a quote without that venue. `QUOTE_INVALID`: send the token from `/api/v1/quote` verbatim.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            /**
             * @description The venue no longer takes the order: it was signed too late, or the venue now declines. `details.venue` and
             *     `details.reason` (as of `/api/v1/execute`) say who and why. There is no order. Ask for a fresh quote.
             */
            readonly 410: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly submitTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitTransactionRequest"];
            };
        };
        readonly responses: {
            /** @description The transaction was sent, now or before. Poll `/api/v1/status` with the `statusRef` from `/api/v1/execute`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitTransactionResponse"];
                };
            };
            /**
             * @description Nothing was sent. `INVALID_REQUEST`: `details.fields` says whether `signedTransaction` is unsigned, is not the one
             *     `/api/v1/execute` returned, or no longer makes its payment, or whether `quoteToken` is not the one `/api/v1/execute`
             *     returned with it. When another signed transaction of the same quote was posted before, and has landed or may still land,
             *     `details.txHash` names it: post that one again, and sign no other. `QUOTE_INVALID`: the token is malformed or was changed.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description Solana refused the transaction, or it can no longer land, and nothing was paid: `details.reason` is `blockhashExpired`,
             *     `insufficientFunds` or `failed`, and `details.transactionError` is what the chain says. Get a fresh transaction from
             *     `/api/v1/execute`, or a fresh quote once past `expiresAt`.
             */
            readonly 422: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            /**
             * @description Solana could not be reached, and the transaction may already have been sent. Post the same `signedTransaction` again: it
             *     answers 200 if it landed. Sign no other transaction until a retry answers 200 or `ORDER_REJECTED`. `details.txHash`
             *     is the signature to look up.
             */
            readonly 502: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["Overloaded"];
        };
    };
    readonly btcCoverage: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The chain of the tokens.
                 * @example 1
                 */
                readonly chainId: components["schemas"]["ChainId"];
            };
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The tokens that any venue lists. While `filtered` is false no list could be had: the coverage is unknown, and not zero. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BtcCoverageResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: correct the parameters named in `details.fields`. `UNSUPPORTED_CHAIN`: choose a chain from
             *     `/api/v1/chains`.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly resolveToken: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description Contract address, mint, or the native sentinel.
                 * @example 0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48
                 */
                readonly address: string;
                /**
                 * @description The chain to look on.
                 * @example 1
                 */
                readonly chainId: components["schemas"]["ChainId"];
            };
            readonly header?: {
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The token. Pass its `chainId` and `address` to `/api/v1/quote`. */
            readonly 200: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ResolveTokenResponse"];
                };
            };
            /**
             * @description `UNSUPPORTED_TOKEN`: the address is not a token on that chain; check both. `INVALID_REQUEST`: correct the parameters
             *     named in `details.fields`. `UNSUPPORTED_CHAIN`: choose a chain from `/api/v1/chains`.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
        };
    };
    readonly x402Execute: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
                 *     answer is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["ExecuteRequest"];
            };
        };
        readonly responses: {
            /**
             * @description The payload to complete. `TRANSACTION`: sign, broadcast, then poll `/api/v1/status` with the transaction hash as `ref`;
             *     when it carries `submit`, sign without broadcasting, post to `submit.url`, then poll with `statusRef`.
             *     `SIGNATURE`: sign `typedData` (and `approvalData`), then post to `submit.url`. `DEPOSIT`: send exactly
             *     `deposit.amount` of `deposit.token` to `deposit.address`, then poll with `statusRef`.
             */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ExecuteResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: correct the fields named in `details.fields`, for example add the `destinationAddress` a
             *     cross-ecosystem swap needs; a ninth pair of addresses is refused, naming the new ones: ask for a fresh quote.
             *     `QUOTE_INVALID`: the token is malformed or was changed; send the one from `/api/v1/quote` verbatim, or ask for a fresh
             *     quote.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            /**
             * @description The quote is past its `expiresAt`, which `details.expiresAt` repeats, or its price can no longer be had:
             *     `details.venue` and `details.reason` then say of whom and why. `priceMoved`: the venue now guarantees less than the
             *     quote did. `venueDisabled`: the operator has switched the venue off. `unsupportedPair`, `amountTooSmall`,
             *     `amountTooLarge`, `noLiquidity`: the venue now declines. `sameAsAnotherSwap`: another swap of the same second says the
             *     same in all, and its payment could be taken for this one's. `deadlinePassed`: what was built before can no longer be
             *     used. Nothing was handed out. Ask for a fresh quote and execute that one.
             */
            readonly 410: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description The quote is a preview (`executable` is false). Ask for a fresh quote with the missing `destinationAddress` or
             *     `refundAddress`; it cannot be added to this one.
             */
            readonly 422: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            /**
             * @description Nothing was handed out that could be signed. Either the venue failed, or its payload did not match the quote
             *     (`details.reason` is `payloadMismatch`) or was given to another swap before (`reusedReference`), or the quote is a sandbox
             *     one of a venue that has no sandbox (the message names it). Where `details.retryable` is true, repeat the call; else ask
             *     for a fresh quote, with `details.venue` in `excludeVenues`. A payload that was handed out before and no longer proves to
             *     be what was quoted is not shown again: whoever has paid by it follows the swap with `details.statusRef`, where there is
             *     one. Report `meta.requestId` when it happens again.
             */
            readonly 500: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            /**
             * @description Nothing was built. Solana tried the payment and it would fail: `details.reason` is `insufficientFunds` when the wallet
             *     lacks the amount or SOL for fees, else `failed`, and `details.transactionError` is what the chain says. Fund the wallet
             *     and execute the same quote again while it lasts, or ask for a fresh quote.
             */
            readonly 502: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402Quote: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
                 *     answer is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["QuoteRequest"];
            };
        };
        readonly responses: {
            /** @description The best route. Execute it before `expiresAt`, or ask again. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["QuoteResponse"];
                };
            };
            /**
             * @description The request cannot be quoted as it stands. `INVALID_REQUEST`: correct the fields named in `details.fields`.
             *     `UNSUPPORTED_TOKEN`: check the address with `/api/v1/tokens/resolve`. `UNSUPPORTED_CHAIN`: choose a chain from
             *     `/api/v1/chains`. Repeating the same request gives the same answer.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            /**
             * @description No venue can serve the pair or amount: at least one declines, or none fails. `details.declines` has one entry per venue
             *     asked: `{ venue, kind, check?, minimum?, maximum?, reason?, retryable }`, amounts in the input token's smallest unit. Kinds:
             *     unsupportedPair, amountTooSmall, amountTooLarge, noLiquidity, badRequest, rateLimited, unavailable, timeout,
             *     badResponse, rejected, notAwaited. `rejected`: the venue answered, and a check of this service refuses the answer; `check`
             *     is its id, such as `relay.router`. `notAwaited`: another venue's offer, which was not believed in the end, had decided
             *     the race. Reason `boundTooWide`: the venue guarantees too much less than it expects to deliver; allow more
             *     `slippageBps`. Reason `senderCannotSign`: the venue takes a signature that the code of the sender's account cannot give.
             *     Reason `notSold`: a limit of this service, such as a swap before a bridge that no two price lists compare. Try an amount
             *     within `minimum` and `maximum`, repeat later when a decline is `retryable`, or choose
             *     another pair.
             */
            readonly 404: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            /**
             * @description Unexpected or venue-side error. Where every venue that could serve the route fails now, and none declines,
             *     `details.retryable` is true and `details.declines` has one entry per venue, as with 404. Repeat the request after a pause,
             *     unless `retryable` is false; report `meta.requestId` when it happens again.
             */
            readonly 500: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402Status: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description The token from `/api/v1/quote`, or the one that came with `submit`, verbatim.
                 * @example eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoiMSJ9..Jm8nZkqjW2rT5u0x.rV3pYb1sQ0c8mK4hD7tXwA2nLzE6fGiUoRjPqSvByNkCdMhTgFaWeIxOlZuJ5H9.4nE2bVxT8qWcYpLmRkJfZA
                 */
                readonly quoteToken: string;
                /**
                 * @description DEPOSIT: the deposit address, which is the `statusRef` from `/api/v1/execute`. SIGNATURE: the `statusRef` from
                 *     `/api/v1/submit-signature`. TRANSACTION: the transaction hash; when the service broadcasts it, the `statusRef` from
                 *     `/api/v1/execute`, or the `txHash` once it was posted. Those have 1 to 512 characters. For a sandbox quote it is any
                 *     text that fits into a URL.
                 * @example 0x3b1f0a9c7de2465581c4be20f97d63a8150ce4f2b8a97d361e05cf8421ba76d9
                 */
                readonly ref: string;
            };
            readonly header?: {
                /**
                 * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
                 *     answer is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /**
             * @description The state of the swap. `success`, `refunded` and `failed` end it; poll again for every other one. `unknown` with
             *     `tracking: unavailable` means the venue has no live tracker yet: follow the transaction in a block explorer.
             */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["StatusResponse"];
                };
            };
            /**
             * @description `INVALID_REQUEST`: send both `quoteToken` and `ref`, and nothing else. `QUOTE_INVALID`: send the token from
             *     `/api/v1/quote` verbatim.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402SubmitSignature: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
                 *     answer is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitSignatureRequest"];
            };
        };
        readonly responses: {
            /** @description The venue has the order. Poll `/api/v1/status` with `statusRef` as `ref`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitSignatureResponse"];
                };
            };
            /**
             * @description Nothing was forwarded. `INVALID_REQUEST`: correct the fields named in `details.fields`; a quote whose venue takes no
             *     signatures is named by `quoteToken`, follow its `executionType` instead. A `signature` by the sender's key is refused where the
             *     sender's account has code (EIP-7702) whose `isValidSignature` does not accept it, and the contract of the order asks it: request
             *     a quote without that venue. `QUOTE_INVALID`: send the token from `/api/v1/quote` verbatim.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            /**
             * @description The venue no longer takes the order: it was signed too late, or the venue now declines. `details.venue` and
             *     `details.reason` (as of `/api/v1/execute`) say who and why. There is no order. Ask for a fresh quote.
             */
            readonly 410: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
    readonly x402SubmitTransaction: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: {
                /**
                 * @description The payment, as the official x402 clients send it: a signed payload of version 2, as JSON in base64. Without one the
                 *     answer is 402.
                 * @example eyJ4NDAyVmVyc2lvbiI6Mn0=
                 */
                readonly "payment-signature"?: components["parameters"]["PaymentSignature"];
                /**
                 * @description An id of your own for this request: 1 to 64 letters, digits, dots, underscores and hyphens. It comes back in the header
                 *     of the same name and in `meta.requestId`. In place of any other value the service makes one up.
                 * @example checkout-81c2e1
                 */
                readonly "x-request-id"?: components["parameters"]["RequestId"];
            };
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SubmitTransactionRequest"];
            };
        };
        readonly responses: {
            /** @description The transaction was sent, now or before. Poll `/api/v1/status` with the `statusRef` from `/api/v1/execute`. */
            readonly 200: {
                headers: {
                    readonly "PAYMENT-RESPONSE": components["headers"]["PaymentResponse"];
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["SubmitTransactionResponse"];
                };
            };
            /**
             * @description Nothing was sent. `INVALID_REQUEST`: `details.fields` says whether `signedTransaction` is unsigned, is not the one
             *     `/api/v1/execute` returned, or no longer makes its payment, or whether `quoteToken` is not the one `/api/v1/execute`
             *     returned with it. When another signed transaction of the same quote was posted before, and has landed or may still land,
             *     `details.txHash` names it: post that one again, and sign no other. `QUOTE_INVALID`: the token is malformed or was changed.
             */
            readonly 400: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimitIfTold"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicyIfTold"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 401: components["responses"]["Unauthorized"];
            readonly 402: components["responses"]["PaymentRequired"];
            readonly 413: components["responses"]["BodyTooLarge"];
            readonly 415: components["responses"]["NotJson"];
            /**
             * @description Solana refused the transaction, or it can no longer land, and nothing was paid: `details.reason` is `blockhashExpired`,
             *     `insufficientFunds` or `failed`, and `details.transactionError` is what the chain says. Get a fresh transaction from
             *     `/api/v1/execute`, or a fresh quote once past `expiresAt`.
             */
            readonly 422: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 429: components["responses"]["RateLimited"];
            readonly 500: components["responses"]["Internal"];
            /**
             * @description Solana could not be reached, and the transaction may already have been sent. Post the same `signedTransaction` again: it
             *     answers 200 if it landed. Sign no other transaction until a retry answers 200 or `ORDER_REJECTED`. `details.txHash`
             *     is the signature to look up.
             */
            readonly 502: {
                headers: {
                    readonly RateLimit: components["headers"]["RateLimit"];
                    readonly "RateLimit-Policy": components["headers"]["RateLimitPolicy"];
                    readonly "service-version": components["headers"]["ServiceVersion"];
                    readonly "x-request-id": components["headers"]["RequestId"];
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ErrorResponse"];
                };
            };
            readonly 503: components["responses"]["PaymentPending"];
        };
    };
}
