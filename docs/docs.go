// Package docs holds the texts that the program itself shows. The others are for readers of the repository.
package docs

import _ "embed"

//go:generate go run rollcall/internal/reference

var (
	//go:embed webhooks.md
	webhooks string
	//go:embed clients.md
	clients string
	//go:embed samples.md
	samples string
)

// Webhooks is the guide for those who receive webhooks, in Markdown.
func Webhooks() string { return webhooks }

// Clients says how to use the clients for Go and TypeScript, in Markdown.
func Clients() string { return clients }

// Samples has the first requests of an integrator in seven languages, in Markdown.
func Samples() string { return samples }
