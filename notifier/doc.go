// Package notifier turns changes of records into webhooks: what a delivery says, how it is signed, where it may go, how it
// is sent, and when it is tried again. It is not for the APIs (graph, rest), nor for queries (models), nor for deciding
// whether two names are one person's (match).
//
// The rules are those of SPEC.md, "Events" and "Webhook delivery lifecycle", and DECISIONS.md, "Webhooks". The pieces:
//
//   - Secret and Sealer: the secret of an account, and how it is kept at rest.
//   - Keyring, VerifyService, VerifyStandard: both signature schemes, also while a secret is being replaced.
//   - Event and Record: the body of a delivery, serialised once.
//   - Guard: which addresses may be registered and dialled.
//   - Client: one attempt to deliver, guarded and bounded.
//   - Retries and Progress: the lifecycle of a delivery as a pure state machine; Health: when a registration is disabled.
//   - Lanes: who may send now, so that no endpoint delays another.
//   - Receiver: the other end, for subscribers' first five minutes.
package notifier
