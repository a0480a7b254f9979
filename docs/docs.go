// Package docs holds the texts that the program itself shows. The others are for readers of the repository.
package docs

import _ "embed"

//go:generate go run rollcall/internal/reference

//go:embed webhooks.md
var webhooks string

// Webhooks is the guide for those who receive webhooks, in Markdown.
func Webhooks() string { return webhooks }
