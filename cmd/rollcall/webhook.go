package main

// webhookCmd groups what operators and subscribers do about webhooks. Endpoints themselves are managed through
// the APIs and the settings pages.
type webhookCmd struct {
	Listen webhookListenCmd `cmd:"" help:"Receive webhooks on this machine, verify both signatures and print the events."`
	Secret webhookSecretCmd `cmd:"" help:"Show and replace the secret that signs an account's webhooks."`
}
