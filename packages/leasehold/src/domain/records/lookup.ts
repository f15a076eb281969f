/** What a provider answered when it was asked for an effect. */
export type LookupAnswer =
  | { readonly kind: 'found'; readonly providerRef: string | null }
  | { readonly kind: 'absent' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'unknown'; readonly error: string };

/** What follows from it. `reason` is a few words, without a full stop. */
export type LookupDecision =
  | { readonly kind: 'done'; readonly providerRef: string | null }
  /** May be sent again; before `sendBefore` only, where that is given. */
  | { readonly kind: 'requeue'; readonly sendBefore: Date | null; readonly reason: string }
  | { readonly kind: 'review'; readonly reason: string }
  /** Ask again later. */
  | { readonly kind: 'wait'; readonly reason: string };
