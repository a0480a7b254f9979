// Package delivery is the pages of deliveries: what was sent to webhooks and e-mail addresses, with what result, and sending it again.
//
// They work without scripts; scripts read them again while they stay open. Templates, scripts and messages lie with those of package web,
// which adds these routes to its own. When a delivery is tried and when it ends is decided in package notifier and models/delivery.
package delivery
