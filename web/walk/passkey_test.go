package walk

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

func usesAPasskey(t *testing.T, b *tab) {
	t.Helper()
	b.visit("/settings/members")
	b.do(chromedp.SendKeys(chromedp.CSS("#email"), "keys@example.org"))
	b.submit("form[action='/settings/members'] button")
	link := eval[string](b, `document.querySelector("#secret").textContent`)

	other := newTab(t, b.root)
	_, err := chromedp.Call(other.ctx, webauthn.Enable, webauthn.EnableParams{})
	require.NoError(t, err)
	_, err = chromedp.Call(other.ctx, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}})
	require.NoError(t, err)
	other.visit(strings.TrimPrefix(link, b.root))
	other.do(chromedp.SendKeys(chromedp.CSS("#password"), readerPassword), chromedp.SendKeys(chromedp.CSS("#again"), readerPassword))
	other.submit("main button")

	other.visit("/settings/you")
	other.accessible()
	other.submit("#add-passkey button")
	require.Contains(t, other.text(), "The passkey was added")
	require.Contains(t, other.text(), "never used")
	other.accessible()
	other.fits()
	other.click("#add-passkey button")
	other.until(`document.querySelector("#add-passkey [role=status]").textContent.includes("already")`)

	t.Log("it is offered beside the e-mail; this device takes every offer at once")
	other.visit("/settings/you")
	other.click("button.account")
	other.click("form[action='/sign-out'] button")
	other.until(`location.pathname === "/"`)
	other.settled()

	t.Log("in a browser that offers nothing by itself, the button signs in, and leads to where the reader wanted to go")
	_, err = chromedp.Call(other.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: "PublicKeyCredential.isConditionalMediationAvailable = undefined",
	})
	require.NoError(t, err)
	other.visit("/settings/you")
	other.signsOut()
	other.visit("/settings/you")
	require.Equal(t, "/sign-in?next=%2Fsettings%2Fyou", other.path())
	other.accessible()
	other.submit("#passkey button")
	require.Equal(t, "/settings/you", other.path())
	require.Contains(t, other.text(), "last used just now")

	t.Log("removed, it signs in nobody")
	other.click("section[aria-labelledby=passkeys] details summary")
	other.accessible()
	other.submit("section[aria-labelledby=passkeys] details[open] button.danger")
	require.Contains(t, other.text(), "The passkey was removed")
	other.signsOut()
	other.click("#passkey button")
	other.until(`document.querySelector("#passkey [role=status]").textContent.includes("not accepted")`)
	require.Contains(t, other.path(), "/sign-in")
	other.forget() // Chromium notes the refusal that was asked for
	other.clean()
}
