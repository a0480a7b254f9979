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
	//go:embed graphql.md
	graphql string
	//go:embed vectors.json
	vectors []byte
)

// Guides returns the guides of the manual in Markdown, by the last part of their addresses: for receivers of webhooks, for those who
// ask over GraphQL, of the clients for Go and TypeScript, and the first requests of an integrator in seven languages.
func Guides() map[string]string {
	return map[string]string{"webhooks": webhooks, "graphql": graphql, "clients": clients, "samples": samples}
}

// Vectors returns signed deliveries, and forged ones, that a receiver can check its code with (docs/webhooks.md, "Test vectors").
func Vectors() []byte { return vectors }
