package walk

import (
	"testing"

	"github.com/chromedp/chromedp"
)

// TestScreenshotsOfMoments takes pictures of what is seen once, and of an account that may not see records.
func TestScreenshotsOfMoments(t *testing.T) {
	t.Parallel()
	if *screens == "" {
		t.Skip("no -screens DIR: no pictures are taken")
	}
	x := newTerminal(t)
	root, door := x.Serve("Desk")
	b := newTab(t, root)
	b.visit(door)
	b.photographed("invitation")
	b.joins(door)

	b.visit("/settings/keys")
	b.photographed("keys-none")
	b.do(chromedp.SendKeys(chromedp.CSS("#label"), "Newsroom desk"))
	b.submit("form[action='/settings/keys'] button")
	b.photographed("key-shown")
	b.visit("/settings/webhooks")
	b.photographed("webhooks-none")
	b.do(chromedp.SendKeys(chromedp.CSS("#url"), "https://hooks.example.org/rollcall"))
	b.submit("form[action='/settings/webhooks'] button")
	b.photographed("webhook-added")
	b.visit("/settings/webhooks/secret")
	b.photographed("secret-first")
	b.visit("/settings/members")
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "reporter@example.org"))
	b.submit("form[action='/settings/members'] button")
	b.photographed("invitation-shown")

	other := newTab(t, root)
	other.visit(x.Link("account", "reset", "--email", "ada@example.org"))
	other.photographed("reset")
	other.do(chromedp.SendKeys(chromedp.CSS("#password"), "passwordpassword"), chromedp.SendKeys(chromedp.CSS("#again"), "passwordpassword"))
	other.submit("main button")
	other.photographed("reset-refused")
	other.visit("/invitation/AAAAAAAAAAAAAAAAAAAAAAAAAA")
	other.photographed("invitation-used")

	x.OK("account", "set", x.FirstAccount(), "--plan", "free")
	for name, path := range map[string]string{"free-keys": "/settings/keys", "free-webhooks": "/settings/webhooks", "free-members": "/settings/members", "free-search": "/search", "free-alerts": "/alerts", "free-usage": "/settings/usage"} {
		b.visit(path)
		b.photographed(name)
	}
}
