// Package notifier turns changes of records into webhooks: which watchers a change concerns, what a delivery
// says, how it is signed, where it may be sent, how it is sent, and when it is tried again. It is not for the
// APIs (graph, rest), not for queries (models), and not for deciding whether two names are one person's
// (match).
//
// Data go one way. A run of the ingest stores changes and a job. Matcher compares them with the watchers in
// memory (Standing) and stores events and deliveries with frozen bodies, in one transaction. Sender takes due
// deliveries, signs and sends each, and stores the attempt with the delivery's next state. Package
// internal/service starts all of them.
//
// The rules are those of SPEC.md, "Events" and "Webhook delivery lifecycle", and DECISIONS.md, "Webhooks". The
// pieces:
//   - Secret and Sealer: the secret of an account, and how it is encrypted at rest.
//   - Keyring, VerifyService, VerifyStandard: both signature schemes, also while a secret is being replaced.
//   - Event and Record: the body of a delivery, serialised once.
//   - CheckURL: which addresses may be registered.
//   - Client: one attempt to deliver, guarded and bounded.
//   - Retries and Progress: the lifecycle of a delivery as a pure state machine; Health: when an endpoint is disabled.
//   - Lanes: who may send now, so that no endpoint delays another.
//   - Receiver: the other end, for subscribers' first five minutes.
package notifier
