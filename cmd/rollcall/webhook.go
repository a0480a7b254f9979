package main

// webhookCmd is what operators and subscribers do about webhooks.
type webhookCmd struct {
	Listen webhookListenCmd `cmd:"" help:"Receive webhooks on this machine, verify both signatures and print the events."`
	Secret webhookSecretCmd `cmd:"" help:"Show and replace the secret that signs an account's webhooks."`
}
