// Package mail sends deliveries by e-mail: it makes the message of one event or of a digest, hands it to the SMTP
// server of ROLLCALL_SMTP_URL, and says what the answer means for the delivery
// (docs/decisions/0018-email-and-atom.md). Package notifier calls it as it calls its client for webhooks.
//
// It knows no queue and no database. Headers and MIME are github.com/wneessen/go-mail's.
package mail
