// Package day holds tests alone: the clients for Go and TypeScript do a day's work of an integrator against a running
// service. They search, follow changes, watch, receive, verify, redeliver, rotate the secret and subscribe.
package day
